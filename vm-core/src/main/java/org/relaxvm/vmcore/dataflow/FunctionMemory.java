package org.relaxvm.vmcore.dataflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallEffects.Trait;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * The regions of a function and the memory that their instructions may access. A region is a
 * sequence of instructions without jumps whose effects are known. Two operands may share memory
 * only where their groups lie in the same block and overlap.
 *
 * <p>Within a region each definition of a register has a group; across regions all definitions of a
 * register whose values leave their region share one. Each allocation starts a block; a tensor at
 * constant bytes of a storage is a group within the block of it; views, tuples and moves join those
 * of their operands; parameters and whatever an unknown function has seen are {@link
 * MemoryClasses#OUTSIDE}.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Which calls are independent?"
 */
final class FunctionMemory {
  /** More instructions are split into several regions: analysis takes quadratic space. */
  private static final int LONGEST_REGION = 4096;

  private final DecodedProgram program;
  private final int[] code;
  private final CallEffects[] effects;
  private final DecodedFunction function;
  private final MemoryClasses classes = new MemoryClasses();
  private final int[] groupOfWord;
  private final int[] boundary;
  private final int[] current;
  private final BitSet defined = new BitSet();
  private final BitSet crossing = new BitSet();
  private final List<int[]> regions = new ArrayList<>();

  /**
   * Analyzes a function.
   *
   * @param effects of the packed functions of the table
   */
  FunctionMemory(DecodedProgram program, CallEffects[] effects, DecodedFunction function) {
    this.program = program;
    this.code = program.code();
    this.effects = effects;
    this.function = function;
    this.groupOfWord = new int[function.end() - function.entry()];
    this.boundary = new int[function.registers()];
    for (int i = 0; i < boundary.length; i++) {
      boundary[i] = classes.add();
      if (i < function.numArgs()) {
        classes.join(boundary[i], MemoryClasses.OUTSIDE);
      }
    }
    this.current = boundary.clone();
    findRegions(leaders());
    findCrossing();
    analyze();
  }

  /** Positions of the instructions of each region, in program order. */
  List<int[]> regions() {
    return regions;
  }

  /** The memory of all operands. */
  MemoryClasses classes() {
    return classes;
  }

  /** The memory group of the operand at a position of the code; -1 when it has no memory. */
  int groupAt(int word) {
    return groupOfWord[word - function.entry()];
  }

  private BitSet leaders() {
    BitSet leaders = new BitSet();
    for (int at = function.entry(); at < function.end(); at += InstructionCodes.length(code, at)) {
      switch (code[at]) {
        case InstructionCodes.JUMP, InstructionCodes.LOOP -> leaders.set(code[at + 1]);
        case InstructionCodes.BRANCH -> leaders.set(code[at + 2]);
        default -> {}
      }
    }
    return leaders;
  }

  private void findRegions(BitSet leaders) {
    List<Integer> region = new ArrayList<>();
    for (int at = function.entry(); at < function.end(); at += InstructionCodes.length(code, at)) {
      boolean isOrdered = isOrdered(at);
      if (isOrdered || leaders.get(at) || region.size() == LONGEST_REGION) {
        addRegion(region);
      }
      if (!isOrdered) {
        region.add(at);
      }
    }
    addRegion(region);
  }

  private void addRegion(List<Integer> region) {
    if (!region.isEmpty()) {
      regions.add(region.stream().mapToInt(Integer::intValue).toArray());
      region.clear();
    }
  }

  /** Finds the registers whose values are used outside of the region that defines them. */
  private void findCrossing() {
    for (int[] region : regions) {
      BitSet own = new BitSet();
      for (int at : region) {
        forEachRegister(
            at, register -> crossing.set(register, crossing.get(register) || !own.get(register)));
        if (code[at + 1] >= 0) {
          own.set(code[at + 1]);
        }
      }
    }
    for (int at = function.entry(); at < function.end(); at += InstructionCodes.length(code, at)) {
      if (isOrdered(at) && InstructionCodes.isCall(code[at])) {
        forEachRegister(at, crossing::set);
      }
    }
  }

  private void forEachRegister(int call, IntConsumer action) {
    int first = call + InstructionCodes.CALL_WORDS;
    for (int word = first; word < first + code[call + 3]; word++) {
      if (code[word] >= 0) {
        action.accept(code[word]);
      }
    }
  }

  private void analyze() {
    for (int[] region : regions) {
      for (int at : region) {
        define(at);
      }
      end();
    }
    for (int at = function.entry(); at < function.end(); at += InstructionCodes.length(code, at)) {
      if (isOrdered(at)) {
        escape(at);
      }
    }
  }

  /** Whether an instruction keeps its position in program order. */
  private boolean isOrdered(int at) {
    return switch (code[at]) {
      case InstructionCodes.MOVE, InstructionCodes.CLEAR -> false;
      case InstructionCodes.CALL_PACKED -> !effects[code[at + 2]].has(Trait.KNOWN);
      default -> true;
    };
  }

  private void define(int at) {
    int first = at + InstructionCodes.CALL_WORDS;
    int end = first + code[at + 3];
    boolean isView =
        code[at] == InstructionCodes.MOVE
            || (code[at] == InstructionCodes.CALL_PACKED && effects[code[at + 2]].has(Trait.VIEW));
    int tensor = tensorInStorage(at);
    int result = tensor >= 0 ? tensor : classes.add();
    for (int word = first; word < end; word++) {
      int operand = code[word];
      int found = operand < 0 || operand == function.contextRegister() ? -1 : current[operand];
      set(word, found);
      if (isView && found >= 0 && tensor < 0) {
        classes.join(result, found);
      }
    }
    int destination = code[at + 1];
    set(at + 1, destination < 0 ? -1 : result);
    if (destination >= 0) {
      current[destination] = result;
      defined.set(destination);
    }
  }

  /** The group of a tensor whose bytes of a storage are constants; -1 for all others. */
  private int tensorInStorage(int at) {
    int first = at + InstructionCodes.CALL_WORDS;
    boolean isKnown =
        code[at] == InstructionCodes.CALL_PACKED
            && effects[code[at + 2]].has(Trait.TENSOR_IN_STORAGE)
            && code[at + 3] >= 4
            && code[first] >= 0
            && code[first + 1] < 0;
    if (!isKnown) {
      return -1;
    }
    long begin = program.constantBits()[~code[first + 1]];
    long end = Long.MAX_VALUE;
    if (code[first + 2] < 0
        && code[first + 3] < 0
        && program.constantRefs()[~code[first + 2]] instanceof Shape shape
        && program.constantRefs()[~code[first + 3]] instanceof DType dtype) {
      end = begin + bytes(shape, dtype);
    }
    return begin < 0 || end < begin ? -1 : classes.addWithin(current[code[first]], begin, end);
  }

  /** The size of a tensor; a negative number when it does not fit 64 bits. */
  private static long bytes(Shape shape, DType dtype) {
    try {
      long bits = (long) dtype.bits() * dtype.lanes();
      for (int axis = 0; axis < shape.rank(); axis++) {
        bits = Math.multiplyExact(bits, shape.dim(axis));
      }
      return Math.ceilDiv(bits, Byte.SIZE);
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  private void escape(int at) {
    if (!InstructionCodes.isCall(code[at])) {
      return;
    }
    forEachRegister(at, register -> classes.join(boundary[register], MemoryClasses.OUTSIDE));
    if (code[at + 1] >= 0) {
      classes.join(boundary[code[at + 1]], MemoryClasses.OUTSIDE);
    }
  }

  private void end() {
    for (int r = defined.nextSetBit(0); r >= 0; r = defined.nextSetBit(r + 1)) {
      if (crossing.get(r)) {
        classes.join(current[r], boundary[r]);
      }
    }
    defined.clear();
    System.arraycopy(boundary, 0, current, 0, boundary.length);
  }

  private void set(int word, int memory) {
    groupOfWord[word - function.entry()] = memory;
  }

  @Override
  public String toString() {
    return function.name() + " " + regions.stream().map(Arrays::toString).toList();
  }
}
