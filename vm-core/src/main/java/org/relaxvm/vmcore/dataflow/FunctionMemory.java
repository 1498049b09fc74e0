package org.relaxvm.vmcore.dataflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.relaxvm.api.CallEffects;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.InstructionCodes;

/**
 * The regions of a function and the memory that their instructions may access. A region is a
 * sequence of instructions without jumps whose effects are known. Two operands may share memory
 * only where their memory classes are equal.
 *
 * <p>Within a region each definition of a register has a class; across regions all definitions of a
 * register share one. Each allocation starts a class; views, tuples and moves join those of their
 * operands; parameters and whatever an unknown function has seen are {@link MemoryClasses#OUTSIDE}.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Which calls are independent?"
 */
final class FunctionMemory {
  /** More instructions are split into several regions: analysis takes quadratic space. */
  private static final int LONGEST_REGION = 4096;

  private final int[] code;
  private final CallEffects[] effects;
  private final DecodedFunction function;
  private final MemoryClasses classes = new MemoryClasses();
  private final int[] classOfWord;
  private final int[] boundary;
  private final int[] current;
  private final BitSet defined = new BitSet();
  private final List<int[]> regions = new ArrayList<>();

  /**
   * Analyzes a function.
   *
   * @param code the decoded instructions
   * @param effects of the packed functions of the table
   */
  FunctionMemory(int[] code, CallEffects[] effects, DecodedFunction function) {
    this.code = code;
    this.effects = effects;
    this.function = function;
    this.classOfWord = new int[function.end() - function.entry()];
    this.boundary = new int[function.registers()];
    for (int i = 0; i < boundary.length; i++) {
      boundary[i] = classes.add();
      if (i < function.numArgs()) {
        classes.join(boundary[i], MemoryClasses.OUTSIDE);
      }
    }
    this.current = boundary.clone();
    analyze(leaders());
  }

  /** Positions of the instructions of each region, in program order. */
  List<int[]> regions() {
    return regions;
  }

  /** The memory class of the operand at a position of the code; -1 when it has no memory. */
  int classAt(int word) {
    int found = classOfWord[word - function.entry()];
    return found < 0 ? -1 : classes.find(found);
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

  private void analyze(BitSet leaders) {
    List<Integer> region = new ArrayList<>();
    for (int at = function.entry(); at < function.end(); at += InstructionCodes.length(code, at)) {
      boolean isOrdered = isOrdered(at);
      if (isOrdered || leaders.get(at) || region.size() == LONGEST_REGION) {
        end(region);
      }
      if (isOrdered) {
        escape(at);
      } else {
        region.add(at);
        define(at);
      }
    }
    end(region);
  }

  /** Whether an instruction keeps its place in program order. */
  private boolean isOrdered(int at) {
    return switch (code[at]) {
      case InstructionCodes.MOVE, InstructionCodes.CLEAR -> false;
      case InstructionCodes.CALL_PACKED -> !effects[code[at + 2]].isKnown();
      default -> true;
    };
  }

  private void define(int at) {
    int first = at + InstructionCodes.CALL_WORDS;
    int end = first + code[at + 3];
    int result = classes.add();
    boolean isView =
        code[at] == InstructionCodes.MOVE
            || (code[at] == InstructionCodes.CALL_PACKED && effects[code[at + 2]].isView());
    for (int word = first; word < end; word++) {
      int operand = code[word];
      int found = operand < 0 || operand == function.contextRegister() ? -1 : current[operand];
      set(word, found);
      if (isView && found >= 0) {
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

  private void escape(int at) {
    if (!InstructionCodes.isCall(code[at])) {
      return;
    }
    int first = at + InstructionCodes.CALL_WORDS;
    for (int word = first; word < first + code[at + 3]; word++) {
      if (code[word] >= 0) {
        classes.join(boundary[code[word]], MemoryClasses.OUTSIDE);
      }
    }
    if (code[at + 1] >= 0) {
      classes.join(boundary[code[at + 1]], MemoryClasses.OUTSIDE);
    }
  }

  private void end(List<Integer> region) {
    if (!region.isEmpty()) {
      regions.add(region.stream().mapToInt(Integer::intValue).toArray());
      region.clear();
    }
    for (int r = defined.nextSetBit(0); r >= 0; r = defined.nextSetBit(r + 1)) {
      classes.join(current[r], boundary[r]);
    }
    defined.clear();
    System.arraycopy(boundary, 0, current, 0, boundary.length);
  }

  private void set(int word, int memory) {
    classOfWord[word - function.entry()] = memory;
  }

  @Override
  public String toString() {
    return function.name() + " " + regions.stream().map(Arrays::toString).toList();
  }
}
