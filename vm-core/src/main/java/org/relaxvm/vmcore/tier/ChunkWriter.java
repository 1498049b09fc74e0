package org.relaxvm.vmcore.tier;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.ExecutionChecks;
import org.relaxvm.vmcore.decode.InstructionCodes;
import org.relaxvm.vmcore.tier.FunctionFlow.Block;

/**
 * Writes the method of a chunk: registers are local variables, a reference and a {@code long} each,
 * that are loaded from the frame once. What is written is stored into the frame at once, which owns
 * all values: whatever ends the method, nothing is lost.
 */
final class ChunkWriter {
  static final ClassDesc STATE = desc(ChunkState.class);
  static final ClassDesc OBJECTS = CD_Object.arrayType();
  static final ClassDesc LONGS = CD_long.arrayType();
  static final ClassDesc INTS = CD_int.arrayType();
  static final MethodTypeDesc METHOD =
      MethodTypeDesc.of(CD_int, STATE, OBJECTS, LONGS, CD_int, CD_int);

  private static final ClassDesc PROGRAM = desc(DecodedProgram.class);
  private static final ClassDesc ARGS = desc(RegisterArgs.class);
  private static final ClassDesc RESULT = desc(CallResult.class);
  private static final ClassDesc FUNCTION = desc(PackedFunc.class);
  private static final ClassDesc CHECKS = desc(ExecutionChecks.class);
  private static final ClassDesc TAG = desc(ScalarTag.class);
  private static final MethodTypeDesc OF_OBJECT = MethodTypeDesc.of(CD_void, CD_Object);

  private final CodeBuilder b;
  private final Chunk chunk;
  private final FunctionFlow flow;
  private final DecodedProgram program;
  private final int[] code;
  private final Operands operands;
  private final ClassConstants constants;
  private final Map<Integer, Label> labels = new HashMap<>();
  private final Map<Integer, Integer> refLocals = new HashMap<>();
  private final Map<Integer, Integer> bitsLocals = new HashMap<>();

  // Parameters of the method, then local variables.
  private final int state = 0;
  private final int refs = 1;
  private final int bits = 2;
  private final int base = 3;
  private final int entry = 4;
  private final int args;
  private final int result;
  private final int argRefs;
  private final int argBits;
  private final int old;

  /**
   * A writer of one method.
   *
   * @param operands gets the operands of the calls
   * @param constants gets the objects that the method refers to
   */
  ChunkWriter(
      CodeBuilder builder,
      Chunk chunk,
      DecodedProgram program,
      Operands operands,
      ClassConstants constants) {
    this.b = builder;
    this.chunk = chunk;
    this.flow = chunk.flow();
    this.program = program;
    this.code = program.code();
    this.operands = operands;
    this.constants = constants;
    this.args = b.allocateLocal(TypeKind.REFERENCE);
    this.result = b.allocateLocal(TypeKind.REFERENCE);
    this.argRefs = b.allocateLocal(TypeKind.REFERENCE);
    this.argBits = b.allocateLocal(TypeKind.REFERENCE);
    this.old = b.allocateLocal(TypeKind.REFERENCE);
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /**
   * Writes the method.
   *
   * @param firstEntry the number of the chunk's first entry; the others follow
   */
  void write(int firstEntry) {
    prologue();
    List<Block> entries = chunk.entries();
    List<SwitchCase> cases = new ArrayList<>();
    List<Label> entryLabels = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      entryLabels.add(b.newLabel());
      cases.add(SwitchCase.of(firstEntry + i, entryLabels.get(i)));
    }
    b.iload(entry);
    b.tableswitch(firstEntry, firstEntry + entries.size() - 1, entryLabels.getLast(), cases);
    for (int i = 0; i < entries.size(); i++) {
      b.labelBinding(entryLabels.get(i));
      load(entries.get(i));
      b.goto_(label(entries.get(i)));
    }
    for (Block block : chunk.blocks()) {
      if (chunk.isReached(block)) {
        write(block);
      }
    }
  }

  private void prologue() {
    b.aconst_null().astore(old);
    BitSet used = (BitSet) chunk.owned().clone();
    used.or(chunk.borrowed());
    for (int register = used.nextSetBit(0);
        register >= 0;
        register = used.nextSetBit(register + 1)) {
      int ref = b.allocateLocal(TypeKind.REFERENCE);
      int scalar = b.allocateLocal(TypeKind.LONG);
      refLocals.put(register, ref);
      bitsLocals.put(register, scalar);
      b.aconst_null().astore(ref).loadConstant(0L).lstore(scalar);
    }
    b.aload(state);
    constants.load(b, program, PROGRAM);
    constants.load(b, operands.array(), INTS);
    b.loadConstant(mostArguments());
    b.invokevirtual(STATE, "enter", MethodTypeDesc.of(CD_void, PROGRAM, INTS, CD_int));
    b.aload(state).getfield(STATE, "args", ARGS).astore(args);
    b.aload(state).getfield(STATE, "result", RESULT).astore(result);
    b.aload(state).getfield(STATE, "argRefs", OBJECTS).astore(argRefs);
    b.aload(state).getfield(STATE, "argBits", LONGS).astore(argBits);
  }

  private int mostArguments() {
    int most = 0;
    for (Block block : chunk.blocks()) {
      for (int at = block.start(); at < chunk.compiledEnd(block); at = chunk.next(at)) {
        if (code[at] == InstructionCodes.CALL_PACKED) {
          most = Math.max(most, code[at + 3]);
        }
      }
    }
    return most;
  }

  /** Loads registers where the chunk is entered. */
  private void load(Block block) {
    BitSet used = (BitSet) chunk.filledBefore(block).clone();
    used.or(chunk.borrowed());
    used.stream().forEach(this::loadFromFrame);
  }

  private void loadFromFrame(int register) {
    slot(refs, register);
    b.aaload().astore(ref(register));
    slot(bits, register);
    b.laload().lstore(scalar(register));
  }

  private void storeToFrame(int register) {
    slot(refs, register);
    b.aload(ref(register)).aastore();
    slot(bits, register);
    b.lload(scalar(register)).lastore();
  }

  /** Empties a register. */
  private void empty(int register) {
    b.aconst_null().astore(ref(register));
    slot(refs, register);
    b.aconst_null().aastore();
  }

  /** Pushes an array and the index of a register in it. */
  private void slot(int array, int register) {
    b.aload(array).iload(base).loadConstant(register).iadd();
  }

  private void write(Block block) {
    b.labelBinding(label(block));
    BitSet filled = (BitSet) chunk.filledBefore(block).clone();
    int instructions = 0;
    int end = chunk.compiledEnd(block);
    for (int at = block.start(); at < end; at = chunk.next(at)) {
      instructions++;
      switch (code[at]) {
        case InstructionCodes.CALL_PACKED -> call(at, filled);
        case InstructionCodes.MOVE -> move(at, filled);
        case InstructionCodes.CLEAR -> clear(code[at + 1], filled);
        case InstructionCodes.BRANCH -> {
          branch(at, instructions, filled);
          return;
        }
        case InstructionCodes.LOOP -> {
          at(at);
          b.invokestatic(CHECKS, "checkInterrupt", MethodTypeDesc.of(CD_void));
          count(instructions);
          jump(code[at + 1]);
          return;
        }
        case InstructionCodes.JUMP -> {
          count(instructions);
          jump(code[at + 1]);
          return;
        }
        default -> throw new IllegalStateException("instruction code " + code[at]);
      }
      chunk.apply(at, filled);
    }
    count(instructions);
    if (end < block.end()) {
      leave(end);
    } else {
      jump(end);
    }
  }

  private void call(int at, BitSet filled) {
    at(at);
    int count = code[at + 3];
    int first = operands.add(code, at + InstructionCodes.CALL_WORDS, count);
    int argument = 0;
    for (int i = 0; i < count; i++) {
      int operand = code[at + InstructionCodes.CALL_WORDS + i];
      if (operand >= 0) {
        b.aload(argRefs).loadConstant(argument).aload(ref(operand)).aastore();
        b.aload(argBits).loadConstant(argument).lload(scalar(operand)).lastore();
        argument++;
      }
    }
    b.aload(args).loadConstant(0).loadConstant(first).loadConstant(count);
    b.invokevirtual(ARGS, "moveTo", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_int));
    PackedFunc callee = program.packed()[code[at + 2]];
    if (callee == null) {
      throw new IllegalStateException("function table entry " + code[at + 2] + " is not packed");
    }
    constants.load(b, callee, FUNCTION);
    b.aload(args).aload(result);
    b.invokeinterface(FUNCTION, "call", MethodTypeDesc.of(CD_void, desc(CallArgs.class), RESULT));
    int destination = code[at + 1];
    if (destination >= 0) {
      boolean replaces = filled.get(destination);
      if (replaces) {
        b.aload(ref(destination)).astore(old);
      }
      b.aload(result).invokevirtual(RESULT, "bits", MethodTypeDesc.of(CD_long));
      b.lstore(scalar(destination));
      takeResult();
      b.astore(ref(destination));
      storeToFrame(destination);
      if (replaces) {
        releaseOld();
      }
    } else {
      takeResult();
      b.invokestatic(STATE, "release", OF_OBJECT);
    }
    releaseLastReads(at, filled);
  }

  private void takeResult() {
    b.aload(result).invokevirtual(RESULT, "takeRef", MethodTypeDesc.of(CD_Object));
  }

  /** Releases what a register held before it was written; nothing then refers to it any more. */
  private void releaseOld() {
    b.aload(old).aconst_null().astore(old).invokestatic(STATE, "release", OF_OBJECT);
  }

  private void releaseLastReads(int at, BitSet filled) {
    BitSet last = chunk.lastReads(at);
    for (int register = last.nextSetBit(0);
        register >= 0;
        register = last.nextSetBit(register + 1)) {
      if (filled.get(register)) {
        release(register);
      }
    }
  }

  private void release(int register) {
    b.aload(ref(register)).astore(old);
    empty(register);
    releaseOld();
  }

  private void clear(int destination, BitSet filled) {
    if (destination >= 0 && filled.get(destination)) {
      // A release may fail.
      release(destination);
    }
  }

  private void move(int at, BitSet filled) {
    at(at);
    int destination = code[at + 1];
    int operand = code[at + InstructionCodes.CALL_WORDS];
    if (destination < 0) {
      releaseLastReads(at, filled);
      return;
    }
    if (operand == destination) {
      return;
    }
    boolean replaces = filled.get(destination);
    if (operand >= 0 && chunk.lastReads(at).get(operand) && filled.get(operand)) {
      if (replaces) {
        b.aload(ref(destination)).astore(old);
      }
      b.aload(ref(operand)).astore(ref(destination));
      b.lload(scalar(operand)).lstore(scalar(destination));
      storeToFrame(destination);
      empty(operand);
      if (replaces) {
        releaseOld();
      }
      return;
    }
    pushOperand(operand);
    b.astore(old);
    if (operand >= 0) {
      b.lload(scalar(operand));
    } else {
      b.loadConstant(program.constantBits()[~operand]);
    }
    b.lstore(scalar(destination));
    Label same = b.newLabel();
    if (replaces) {
      // Where the value is in the register already, its owner is the same.
      slot(bits, destination);
      b.lload(scalar(destination)).lastore();
      b.aload(old).aload(ref(destination)).if_acmpeq(same);
    }
    b.aload(old).invokestatic(STATE, "retain", OF_OBJECT);
    if (replaces) {
      b.aload(ref(destination)).aload(old).astore(ref(destination)).astore(old);
      storeToFrame(destination);
      releaseOld();
      b.labelBinding(same);
    } else {
      b.aload(old).astore(ref(destination));
      storeToFrame(destination);
    }
  }

  private void pushOperand(int operand) {
    if (operand >= 0) {
      b.aload(ref(operand));
    } else {
      pushConstant(program.constantRefs()[~operand]);
    }
  }

  private void pushConstant(@Nullable Object value) {
    switch (value) {
      case null -> b.aconst_null();
      case ScalarTag tag -> b.getstatic(TAG, tag.name(), TAG);
      default -> constants.load(b, value, CD_Object);
    }
  }

  private void branch(int at, int instructions, BitSet filled) {
    at(at);
    int operand = code[at + 1];
    pushOperand(operand);
    if (operand >= 0) {
      b.lload(scalar(operand));
    } else {
      b.loadConstant(program.constantBits()[~operand]);
    }
    b.invokestatic(
        CHECKS, "condition", MethodTypeDesc.of(ConstantDescs.CD_boolean, CD_Object, CD_long));
    releaseLastReads(at, filled);
    chunk.apply(at, filled);
    Label isFalse = b.newLabel();
    b.ifeq(isFalse);
    count(instructions);
    jump(at + InstructionCodes.length(code, at));
    b.labelBinding(isFalse);
    count(instructions);
    jump(code[at + 2]);
  }

  /** Goes on at a position, in this chunk or elsewhere. */
  private void jump(int target) {
    Block block = flow.blockAt(target);
    if (chunk.blocks().contains(block)) {
      b.goto_(label(block));
    } else {
      leave(target);
    }
  }

  /** Returns to the interpreter. */
  private void leave(int next) {
    b.aload(state).invokevirtual(STATE, "leave", MethodTypeDesc.of(CD_void));
    b.loadConstant(next).ireturn();
  }

  /** Notes which instruction is executed. */
  private void at(int instruction) {
    b.aload(state).loadConstant(instruction).putfield(STATE, "position", CD_int);
  }

  private void count(int instructions) {
    if (instructions > 0) {
      b.aload(state).dup().getfield(STATE, "executed", CD_long);
      b.loadConstant((long) instructions).ladd().putfield(STATE, "executed", CD_long);
    }
  }

  private Label label(Block block) {
    return labels.computeIfAbsent(block.index(), _ -> b.newLabel());
  }

  private int ref(int register) {
    return Objects.requireNonNull(refLocals.get(register));
  }

  private int scalar(int register) {
    return Objects.requireNonNull(bitsLocals.get(register));
  }
}
