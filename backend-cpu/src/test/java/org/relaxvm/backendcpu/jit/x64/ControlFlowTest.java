package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.jit.LirInterpreter;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;

/** Loops with more values than registers, branches, and failures. */
class ControlFlowTest {
  private static final int LIVE = 60;

  static List<X64Target> targets() {
    return Targets.ofThisProcessor();
  }

  /**
   * Three loops around {@link #LIVE} words, as many vectors and as many masks, each changed by its
   * neighbour in every iteration.
   */
  private static LirFunction pressure(X64Target target) {
    LirWriter writer = new LirWriter("pressure");
    Reg input = writer.loadWord(writer.block(), 16);
    Reg output = writer.loadWord(writer.block(), 24);
    Type type = Type.ints(32, target.vectorBits() / 32);
    int bytes = target.vectorBits() / 8;
    List<Reg> words = new ArrayList<>();
    List<Reg> vectors = new ArrayList<>();
    List<Reg> masks = new ArrayList<>();
    for (int i = 0; i < LIVE; i++) {
      words.add(writer.loadWord(input, 8 * i));
      Reg vector = writer.load(type, Address.of(input, 8 * i), 32, true, false, null);
      vectors.add(vector);
      masks.add(writer.compare(Relation.LT, vector, new Const(type, 1000 * i)));
    }
    Reg[] counters = new Reg[3];
    for (int depth = 0; depth < 3; depth++) {
      counters[depth] = writer.reg(Type.WORD);
      writer.set(counters[depth], Op.MOVE, new Imm(depth));
      writer.open();
    }
    for (int i = 0; i < LIVE; i++) {
      int next = (i + 1) % LIVE;
      Reg sum = writer.op(Op.ADD, words.get(i), counters[i % 3]);
      writer.set(words.get(i), Op.XOR, sum, words.get(next));
      Reg chosen = writer.blend(masks.get(i), vectors.get(next), vectors.get(i));
      writer.set(vectors.get(i), Op.ADD, chosen, new Const(type, i));
      Op op = List.of(Op.AND, Op.XOR, Op.OR, Op.AND_NOT).get(i % 4);
      writer.set(masks.get(i), op, masks.get(i), masks.get(next));
    }
    for (int depth = 2; depth >= 0; depth--) {
      List<Lir> body = writer.close();
      Operand limit = depth == 1 ? writer.from() : new Imm(depth + 3);
      writer.add(new Lir.Loop(counters[depth], limit, 1, depth != 1, body));
      if (depth > 0) {
        // A second run of an inner loop starts again.
        writer.set(counters[depth], Op.MOVE, new Imm(depth));
      }
    }
    for (int i = 0; i < LIVE; i++) {
      writer.store(Address.of(output, 8 * i), words.get(i), 64, null);
      Address at = Address.of(output, 8 * LIVE + i * bytes);
      writer.store(at, vectors.get(i), 32, null);
      Reg bits = writer.compute(Op.MASK_BITS, Type.WORD, masks.get(i));
      writer.store(Address.of(output, (8 + bytes) * LIVE + 8 * i), bits, 64, null);
    }
    return writer.finish();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void sixtyValuesOfEachClassAreAliveInThreeLoops(X64Target target) {
    LirFunction function = pressure(target);
    try (Arena arena = Arena.ofConfined();
        EmittedFunction emitted = EmittedFunction.of(function, target)) {
      MemorySegment input = arena.allocate(8 * LIVE + 64, 64);
      for (int i = 0; i < input.byteSize() / 8; i++) {
        input.setAtIndex(JAVA_LONG, i, i * 0x9E37_79B9_7F4A_7C15L);
      }
      MemorySegment expected = arena.allocate(80 * LIVE, 64);
      MemorySegment got = arena.allocate(80 * LIVE, 64);
      MemorySegment block = arena.allocate(64, 64);
      block.set(JAVA_LONG, 16, input.address());
      block.set(JAVA_LONG, 24, expected.address());
      new LirInterpreter(block, input, expected).run(function, block.address(), 4, 0, 0);
      block.set(JAVA_LONG, 24, got.address());
      assertThat(emitted.call(block.address(), 4, 0, 0)).isZero();
      assertThat(got.toArray(JAVA_BYTE)).isEqualTo(expected.toArray(JAVA_BYTE));
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void aLoopThatIsNotEnteredRunsNoIteration(X64Target target) {
    LirWriter writer = new LirWriter("sum");
    Reg sum = writer.compute(Op.MOVE, Type.WORD, new Imm(0));
    Reg counter = writer.compute(Op.MOVE, Type.WORD, writer.from());
    writer.open();
    writer.set(sum, Op.ADD, sum, counter);
    writer.add(new Lir.Loop(counter, writer.to(), 3, false, writer.close()));
    writer.store(Address.of(writer.block(), 0), sum, 64, null);
    LirFunction function = writer.finish();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(64, 64);
      for (int registers : new int[] {0, 2, 13}) {
        try (EmittedFunction emitted =
            EmittedFunction.of(function, target, Targets.limited(target, registers))) {
          emitted.call(block.address(), 5, 15, 0);
          assertThat(block.get(JAVA_LONG, 0)).isEqualTo(5 + 8 + 11 + 14);
          emitted.call(block.address(), 5, 5, 0);
          assertThat(block.get(JAVA_LONG, 0)).isZero();
          emitted.call(block.address(), 5, -1, 0);
          assertThat(block.get(JAVA_LONG, 0)).isZero();
        }
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void branchesFollowEachRelation(X64Target target) {
    long[] values = {0, 1, -1, 5, Long.MIN_VALUE, Long.MAX_VALUE};
    for (Relation relation : Relation.values()) {
      LirWriter writer = new LirWriter("branch " + relation);
      Reg result = writer.compute(Op.MOVE, Type.WORD, new Imm(0));
      branch(writer, relation, writer.from(), writer.to(), result, 1);
      branch(writer, relation, writer.from(), new Imm(0), result, 2);
      branch(writer, relation, new Imm(5), writer.to(), result, 4);
      branch(writer, relation, new Imm(5), new Imm(-1), result, 8);
      writer.store(Address.of(writer.block(), 0), result, 64, null);
      LirFunction function = writer.finish();
      for (int registers : new int[] {0, 13}) {
        try (Arena arena = Arena.ofConfined();
            EmittedFunction emitted =
                EmittedFunction.of(function, target, Targets.limited(target, registers))) {
          MemorySegment block = arena.allocate(64, 64);
          for (long a : values) {
            for (long b : values) {
              new LirInterpreter(block).run(function, block.address(), a, b, 0);
              long expected = block.get(JAVA_LONG, 0);
              emitted.call(block.address(), a, b, 0);
              assertThat(block.get(JAVA_LONG, 0))
                  .as("%d %s %d", a, relation, b)
                  .isEqualTo(expected);
            }
          }
        }
      }
    }
  }

  private static void branch(
      LirWriter writer, Relation relation, Operand a, Operand b, Reg result, long bit) {
    writer.open();
    writer.set(result, Op.OR, result, new Imm(bit));
    List<Lir> whenTrue = writer.close();
    writer.open();
    writer.set(result, Op.ADD, result, new Imm(bit << 32));
    List<Lir> whenFalse = writer.close();
    writer.add(new Lir.If(relation, a, b, whenTrue, whenFalse));
    writer.add(new Lir.If(relation, a, b, List.of(), whenTrue));
    writer.add(new Lir.If(relation, a, b, whenFalse, List.of()));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void failuresReturnTheirStatusAndValues(X64Target target) {
    LirWriter writer = new LirWriter("failures");
    Reg counter = writer.compute(Op.MOVE, Type.WORD, writer.from());
    writer.open();
    Reg square = writer.op(Op.MUL, counter, counter);
    writer.add(
        new Lir.FailIf(
            Relation.EQ, square, new Imm(49), 1, List.of(counter, new Imm(0x1_0000_0007L))));
    writer.add(new Lir.FailIf(Relation.UGT, counter, new Imm(1_000), 2, List.of(square)));
    writer.add(new Lir.FailIf(Relation.EQ, counter, new Imm(100), 3, List.of()));
    writer.add(new Lir.Loop(counter, writer.to(), 1, false, writer.close()));
    LirFunction function = writer.finish();
    for (int registers : new int[] {0, 1, 13}) {
      try (Arena arena = Arena.ofConfined();
          EmittedFunction emitted =
              EmittedFunction.of(function, target, Targets.limited(target, registers))) {
        MemorySegment block = arena.allocate(64, 64);
        assertThat(emitted.call(block.address(), 0, 7, 0)).isZero();
        assertThat(emitted.call(block.address(), 0, 8, 0)).isEqualTo(1);
        assertThat(block.get(JAVA_LONG, 0)).isEqualTo(7);
        assertThat(block.get(JAVA_LONG, 8)).isEqualTo(0x1_0000_0007L);
        assertThat(emitted.call(block.address(), -3, 0, 0)).isEqualTo(2);
        assertThat(block.get(JAVA_LONG, 0)).isEqualTo(9);
        assertThat(emitted.call(block.address(), 90, 200, 0)).isEqualTo(3);
      }
    }
  }
}
