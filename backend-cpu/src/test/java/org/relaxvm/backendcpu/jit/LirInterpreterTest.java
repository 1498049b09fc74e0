package org.relaxvm.backendcpu.jit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;

class LirInterpreterTest {
  private static final Type INTS = Type.ints(32, 4);

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment block = arena.allocate(64, 64);
  private final MemorySegment data = arena.allocate(64, 64);
  private final LirInterpreter interpreter = new LirInterpreter(block, data);
  private final LirWriter writer = new LirWriter("test");

  private long run() {
    return interpreter.run(writer.finish(), block.address(), 0, 10, data.address());
  }

  @Test
  void loopsCountTheRangeAndBranchesChoose() {
    Reg sum = writer.inRegister(new Imm(0));
    Reg counter = writer.compute(Op.MOVE, Type.WORD, writer.from());
    writer.open();
    writer.open();
    writer.set(sum, Op.ADD, sum, counter);
    List<Lir> whenTrue = writer.close();
    writer.add(new Lir.If(Relation.GE, counter, new Imm(4), whenTrue, List.of()));
    List<Lir> body = writer.close();
    writer.add(new Lir.Loop(counter, writer.to(), 3, false, body));
    writer.store(Address.of(writer.scratch(), 8), sum, 16, null);
    assertThat(run()).isZero();
    // 0, 3, 6, 9.
    assertThat(data.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(15);
  }

  @Test
  void failuresEndTheFunctionAndDescribeThemselvesInTheBlock() {
    Reg counter = writer.compute(Op.MOVE, Type.WORD, writer.from());
    writer.open();
    writer.add(new Lir.FailIf(Relation.UGT, counter, new Imm(6), 3, List.of(counter, new Imm(-1))));
    List<Lir> body = writer.close();
    writer.add(new Lir.Loop(counter, writer.to(), 1, true, body));
    writer.store(Address.of(writer.scratch(), 0), new Imm(1), 64, null);
    assertThat(run()).isEqualTo(3);
    assertThat(block.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
    assertThat(block.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(-1);
    assertThat(data.get(ValueLayout.JAVA_LONG, 0)).isZero();
  }

  @Test
  void narrowLoadsExtendAndMaskedStoresLeaveTheOtherElements() {
    data.copyFrom(MemorySegment.ofArray(new byte[] {-1, 2, -3, 4}));
    Reg signed = writer.load(INTS, Address.of(writer.scratch(), 0), 8, true, false, null);
    Reg first = writer.compute(Op.FIRST_LANES, INTS.maskType(), new Imm(3));
    writer.store(Address.of(writer.scratch(), 16), signed, 32, first);
    Reg splat = writer.load(INTS, Address.of(writer.scratch(), 0), 8, false, true, first);
    writer.store(Address.of(writer.scratch(), 32), splat, 32, null);
    assertThat(run()).isZero();
    assertThat(data.asSlice(16, 32).toArray(ValueLayout.JAVA_INT))
        .containsExactly(-1, 2, -3, 0, 255, 255, 255, 0);
  }

  @Test
  void gathersScaleSignedIndices() {
    data.copyFrom(MemorySegment.ofArray(new int[] {10, 11, 12, 13, 14, -4, -3, -2, -1}));
    Reg index = writer.load(INTS, Address.of(writer.scratch(), 20), 32, true, false, null);
    Reg lanes = writer.reg(INTS);
    writer.add(new Lir.Gather(lanes, writer.scratch(), index, 4, 16, null));
    writer.store(Address.of(writer.scratch(), 48), lanes, 32, null);
    assertThat(run()).isZero();
    assertThat(data.asSlice(48, 16).toArray(ValueLayout.JAVA_INT)).containsExactly(10, 11, 12, 13);
  }

  @Test
  void accessOutsideTheMemoryOfTheRunIsRejected() {
    writer.load(INTS, Address.of(writer.scratch(), 52), 32, true, false, null);
    assertThatThrownBy(this::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not in the memory of the run");
  }

  @Test
  void registersMustBeDefinedAndTypesMustMatch() {
    Reg undefined = writer.reg(Type.WORD);
    writer.op(Op.ADD, undefined, new Imm(1));
    assertThatThrownBy(this::run).hasMessageContaining("is read before it is defined");
    LirWriter other = new LirWriter("types");
    Reg word = other.inRegister(new Imm(1));
    other.compute(Op.SQRT, Type.WORD, word);
    assertThatThrownBy(() -> interpreter.run(other.finish(), block.address(), 0, 0, 0))
        .hasMessageContaining("no operation of integers: sqrt");
  }
}
