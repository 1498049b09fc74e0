package org.relaxvm.vmcore.tier;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.StackMapFrameInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.ObjectVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.SimpleVerificationTypeInfo;
import java.lang.classfile.attribute.StackMapFrameInfo.VerificationTypeInfo;
import java.lang.classfile.attribute.StackMapTableAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.Registers;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.ExecutionChecks;
import org.relaxvm.vmcore.decode.InstructionCodes;
import org.relaxvm.vmcore.tier.FunctionFlow.Block;

/**
 * Writes the method of a chunk: one call of {@link ChunkState}, with constants, per instruction.
 * Registers are in the frame, which owns all values: whatever ends the method, nothing is lost.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does compiled code keep registers in the frame?"
 */
final class ChunkWriter {
  static final ClassDesc STATE = desc(ChunkState.class);
  static final ClassDesc OBJECTS = CD_Object.arrayType();
  static final ClassDesc LONGS = CD_long.arrayType();
  static final MethodTypeDesc METHOD =
      MethodTypeDesc.of(CD_int, STATE, OBJECTS, LONGS, CD_int, CD_int);

  private static final ClassDesc FUNCTION = desc(PackedFunc.class);
  private static final ClassDesc DIRECT = desc(DirectCall.class);
  private static final ClassDesc CHECKS = desc(ExecutionChecks.class);
  private static final ClassDesc REGISTERS = desc(Registers.class);
  private static final ClassDesc TAG = desc(ScalarTag.class);
  private static final MethodTypeDesc CALL_DIRECT =
      MethodTypeDesc.of(CD_boolean, OBJECTS, LONGS, CD_int);
  private static final MethodTypeDesc FINISH =
      MethodTypeDesc.of(CD_void, CD_boolean, OBJECTS, LONGS, CD_int, CD_int);
  private static final MethodTypeDesc CALL =
      MethodTypeDesc.of(CD_void, FUNCTION, OBJECTS, LONGS, CD_int, CD_int, CD_int, CD_int);
  private static final MethodTypeDesc COPY =
      MethodTypeDesc.of(CD_void, OBJECTS, LONGS, CD_int, CD_int, CD_int);
  private static final MethodTypeDesc COPY_CONSTANT =
      MethodTypeDesc.of(CD_void, OBJECTS, LONGS, CD_int, CD_int, CD_Object, CD_long);
  private static final MethodTypeDesc RELEASE = MethodTypeDesc.of(CD_void, OBJECTS, CD_int, CD_int);
  private static final MethodTypeDesc CONDITION =
      MethodTypeDesc.of(CD_boolean, OBJECTS, LONGS, CD_int, CD_int);
  private static final MethodTypeDesc CONSTANT_CONDITION =
      MethodTypeDesc.of(CD_boolean, CD_Object, CD_long);
  private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);

  /** The parameters, which are all local variables. */
  static final List<VerificationTypeInfo> LOCALS =
      List.of(
          ObjectVerificationTypeInfo.of(STATE),
          ObjectVerificationTypeInfo.of(OBJECTS),
          ObjectVerificationTypeInfo.of(LONGS),
          SimpleVerificationTypeInfo.INTEGER,
          SimpleVerificationTypeInfo.INTEGER);

  // Parameters of the method.
  private static final int STATE_PARAMETER = 0;
  private static final int REFS = 1;
  private static final int BITS = 2;
  private static final int BASE = 3;
  private static final int ENTRY = 4;

  private final CodeBuilder b;
  private final Chunk chunk;
  private final FunctionFlow flow;
  private final DecodedProgram program;
  private final int[] code;
  private final ClassConstants constants;
  private final Map<Integer, Label> labels = new HashMap<>();
  private final List<StackMapFrameInfo> frames = new ArrayList<>();

  // The block that is written after the one that is being written.
  private @Nullable Block next;

  /**
   * A writer of one method.
   *
   * @param constants gets the objects that the method refers to
   */
  ChunkWriter(CodeBuilder builder, Chunk chunk, DecodedProgram program, ClassConstants constants) {
    this.b = builder;
    this.chunk = chunk;
    this.flow = chunk.flow();
    this.program = program;
    this.code = program.code();
    this.constants = constants;
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
    List<Block> entries = chunk.entries();
    if (entries.size() > 1) {
      List<SwitchCase> cases = new ArrayList<>();
      for (int i = 0; i < entries.size(); i++) {
        cases.add(SwitchCase.of(firstEntry + i, label(entries.get(i))));
      }
      b.iload(ENTRY);
      b.tableswitch(firstEntry, firstEntry + entries.size() - 1, label(entries.getLast()), cases);
    }
    List<Block> reached = chunk.blocks().stream().filter(chunk::isReached).toList();
    next = reached.getFirst();
    if (entries.size() == 1) {
      goTo(entries.getFirst());
    }
    for (int i = 0; i < reached.size(); i++) {
      next = i + 1 < reached.size() ? reached.get(i + 1) : null;
      write(reached.get(i));
    }
    b.with(StackMapTableAttribute.of(frames));
  }

  private void write(Block block) {
    bind(label(block));
    BitSet filled = (BitSet) chunk.filledBefore(block).clone();
    int instructions = 0;
    int end = chunk.compiledEnd(block);
    for (int at = block.start(); at < end; at = chunk.next(at)) {
      instructions++;
      switch (code[at]) {
        case InstructionCodes.CALL_PACKED -> call(at, filled);
        case InstructionCodes.MOVE -> move(at, filled);
        case InstructionCodes.CLEAR -> clear(at, filled);
        case InstructionCodes.BRANCH -> {
          branch(at, instructions, filled);
          return;
        }
        case InstructionCodes.LOOP -> {
          at(at);
          b.invokestatic(CHECKS, "checkInterrupt", NOTHING);
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
    int form = code[at + InstructionCodes.DIRECT_WORD];
    if (form >= 0) {
      at(at);
      b.aload(STATE_PARAMETER);
      constants.load(b, takingLastReads(program.direct()[form], at, filled), DIRECT);
      frame().invokeinterface(DIRECT, "call", CALL_DIRECT);
      frame().loadConstant(at).invokevirtual(STATE, "finish", FINISH);
    } else {
      b.aload(STATE_PARAMETER);
      constants.load(b, program.packed(code[at + 2]), FUNCTION);
      frame().loadConstant(at).loadConstant(code[at + 3]).loadConstant(code[at + 1]);
      b.invokevirtual(STATE, "call", CALL);
    }
    releaseLastReads(at, filled);
  }

  private DirectCall takingLastReads(DirectCall form, int at, BitSet filled) {
    BitSet last = (BitSet) chunk.lastReads(at).clone();
    last.and(filled);
    for (int register = last.nextSetBit(0);
        register >= 0;
        register = last.nextSetBit(register + 1)) {
      DirectCall taking = form.taking(register);
      if (taking != null) {
        return taking;
      }
    }
    return form;
  }

  /** Pushes the frame. */
  private CodeBuilder frame() {
    return b.aload(REFS).aload(BITS).iload(BASE);
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
    b.aload(REFS).iload(BASE).loadConstant(register).invokestatic(STATE, "release", RELEASE);
  }

  private void clear(int at, BitSet filled) {
    int destination = code[at + 1];
    if (destination >= 0 && filled.get(destination)) {
      at(at);
      release(destination);
    }
  }

  private void move(int at, BitSet filled) {
    at(at);
    int destination = code[at + 1];
    int operand = code[at + InstructionCodes.CALL_WORDS];
    boolean isLastRead = operand >= 0 && chunk.lastReads(at).get(operand) && filled.get(operand);
    if (destination < 0) {
      releaseLastReads(at, filled);
    } else if (operand < 0) {
      frame().loadConstant(destination);
      pushConstant(operand);
      b.invokestatic(REGISTERS, "copy", COPY_CONSTANT);
    } else if (operand != destination) {
      frame().loadConstant(operand).loadConstant(destination);
      b.invokestatic(STATE, isLastRead ? "move" : "copy", COPY);
    }
  }

  /** Pushes both halves of a constant. */
  private void pushConstant(int operand) {
    @Nullable Object value = program.constantRefs()[~operand];
    switch (value) {
      case null -> b.aconst_null();
      case ScalarTag tag -> b.getstatic(TAG, tag.name(), TAG);
      default -> constants.load(b, value, CD_Object);
    }
    b.loadConstant(program.constantBits()[~operand]);
  }

  private void branch(int at, int instructions, BitSet filled) {
    at(at);
    int operand = code[at + 1];
    if (operand >= 0) {
      frame().loadConstant(operand).invokestatic(STATE, "condition", CONDITION);
    } else {
      pushConstant(operand);
      b.invokestatic(CHECKS, "condition", CONSTANT_CONDITION);
    }
    releaseLastReads(at, filled);
    chunk.apply(at, filled);
    Label isFalse = b.newLabel();
    Block following = next;
    next = null;
    b.ifeq(isFalse);
    count(instructions);
    jump(at + InstructionCodes.length(code, at));
    next = following;
    bind(isFalse);
    count(instructions);
    jump(code[at + 2]);
  }

  /** Binds a label that is jumped to: nothing is on the stack, and no local variable was added. */
  private void bind(Label label) {
    b.labelBinding(label);
    frames.add(StackMapFrameInfo.of(label, LOCALS, List.of()));
  }

  private void goTo(Block block) {
    if (!block.equals(next)) {
      b.goto_(label(block));
    }
  }

  /** Goes on at a position, in this chunk or elsewhere. */
  private void jump(int target) {
    Block block = flow.blockAt(target);
    if (chunk.blocks().contains(block)) {
      goTo(block);
    } else {
      leave(target);
    }
  }

  /** Returns to the interpreter. */
  private void leave(int next) {
    b.aload(STATE_PARAMETER).invokevirtual(STATE, "leave", NOTHING);
    b.loadConstant(next).ireturn();
  }

  /** Notes which instruction is executed. */
  private void at(int instruction) {
    b.aload(STATE_PARAMETER).loadConstant(instruction).putfield(STATE, "position", CD_int);
  }

  private void count(int instructions) {
    if (instructions > 0) {
      b.aload(STATE_PARAMETER).dup().getfield(STATE, "executed", CD_long);
      b.loadConstant((long) instructions).ladd().putfield(STATE, "executed", CD_long);
    }
  }

  private Label label(Block block) {
    return labels.computeIfAbsent(block.index(), _ -> b.newLabel());
  }
}
