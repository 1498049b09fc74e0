package org.relaxvm.backendcpu.jit.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;

/** Intervals, hints, spills and slots of register allocation. */
class LinearScanTest {
  private static final Type LANES = Type.floats(32, 8);

  private final LirWriter writer = new LirWriter("allocation");

  private static RegisterFile registers(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    return new RegisterFile(numbers, numbers, List.of(), false, 32);
  }

  private Allocation allocate(int registers) {
    return LinearScan.allocate(writer.finish(), registers(registers), Map.of(), Map.of());
  }

  private Reg word(int value) {
    return writer.compute(Op.MOVE, Type.WORD, new Imm(value));
  }

  private void store(Reg value) {
    writer.store(Address.of(writer.block(), 0), value, value.type().bits(), null);
  }

  @Test
  void aResultTakesTheRegisterOfAnOperandThatIsReadForTheLastTime() {
    Reg a = word(1);
    Reg b = word(2);
    Reg sum = writer.op(Op.ADD, a, b);
    store(sum);
    store(b);
    Allocation allocation = allocate(8);
    assertThat(allocation.register(sum)).isEqualTo(allocation.register(a));
    assertThat(allocation.register(b)).isNotEqualTo(allocation.register(a));
    assertThat(allocation.frameBytes()).isZero();
  }

  @Test
  void aParameterStaysInItsRegisterAndAnUnusedOneHasNone() {
    store(writer.from());
    Allocation allocation =
        LinearScan.allocate(
            writer.finish(),
            registers(8),
            Map.of(writer.block(), 7, writer.from(), 6, writer.to(), 5),
            Map.of());
    assertThat(allocation.register(writer.block())).isEqualTo(7);
    assertThat(allocation.register(writer.from())).isEqualTo(6);
    assertThat(allocation.isUsed(writer.to())).isFalse();
    assertThat(allocation.isUsed(writer.from())).isTrue();
  }

  @Test
  void whatALoopReadsIsAliveUntilItsEnd() {
    Reg invariant = word(1);
    Reg counter = word(0);
    writer.open();
    store(invariant);
    Reg inside = word(3);
    store(inside);
    writer.add(new Lir.Loop(counter, new Imm(9), 1, true, writer.close()));
    Allocation allocation = allocate(8);
    assertThat(allocation.register(inside))
        .isNotEqualTo(allocation.register(invariant))
        .isNotEqualTo(allocation.register(counter))
        .isNotEqualTo(allocation.register(writer.block()));
  }

  @Test
  void whatLoopsUseLeastIsSpilled() {
    Reg seldom = word(1);
    Reg often = word(2);
    Reg counter = word(0);
    writer.open();
    writer.set(often, Op.ADD, often, counter);
    store(often);
    writer.add(new Lir.Loop(counter, new Imm(9), 1, true, writer.close()));
    store(seldom);
    Allocation allocation = allocate(3);
    assertThat(allocation.isSpilled(seldom)).isTrue();
    assertThat(allocation.isSpilled(often)).isFalse();
    assertThat(allocation.isSpilled(counter)).isFalse();
    assertThat(allocation.frameBytes()).isEqualTo(8);
    assertThatThrownBy(() -> allocation.register(seldom))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(seldom + " is spilled");
  }

  @Test
  void slotsAreReusedAndThoseOfVectorsAreFirst() {
    for (int i = 0; i < 5; i++) {
      Reg first = writer.load(LANES, Address.of(writer.block(), 0), 32, true, false, null);
      Reg second = writer.load(LANES, Address.of(writer.block(), 32), 32, true, false, null);
      store(writer.op(Op.ADD, first, second));
    }
    Allocation allocation = allocate(0);
    assertThat(allocation.vectorSlotBytes()).isEqualTo(2 * 32);
    assertThat(allocation.frameBytes()).isEqualTo(2 * 32 + 4 * 8);
    assertThat(allocation.usedRegisters(RegisterClass.VECTOR)).isEmpty();
  }

  @Test
  void aRegisterThatIsNotDefinedIsRefused() {
    Reg undefined = writer.reg(Type.WORD);
    store(undefined);
    assertThatThrownBy(() -> allocate(8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("%4 of function allocation is read before it is defined");
  }

  @Test
  void operandsAreCountedOncePerStatement() {
    Reg a = word(1);
    Reg square = writer.op(Op.MUL, a, a);
    writer.set(square, Op.ADD, square, a);
    RegisterCounts counts = RegisterCounts.of(writer.finish());
    assertThat(counts.uses(a)).isEqualTo(3);
    assertThat(counts.uses(square)).isEqualTo(1);
    assertThat(counts.definitions(square)).isEqualTo(2);
  }
}
