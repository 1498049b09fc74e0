package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeVm;

class ListBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  private static Tensor floats(Shape shape, float... values) {
    return Tensor.of(values, shape);
  }

  @Test
  void aListIsNotChanged() {
    Tuple list = Tuple.of("a", "b");
    assertThat(vm.call("relaxvm.list_insert", list, "c").object()).hasToString("[a, b, c]");
    assertThat(vm.call("relaxvm.list_insert", list, "c", 0).object()).hasToString("[c, a, b]");
    assertThat(vm.call("relaxvm.list_insert", list, "c", -1).object()).hasToString("[a, c, b]");
    assertThat(vm.call("relaxvm.list_insert", list, "c", 2).object()).hasToString("[a, b, c]");
    assertThat(vm.call("relaxvm.list_erase", list).object()).hasToString("[a]");
    assertThat(vm.call("relaxvm.list_erase", list, -2).object()).hasToString("[b]");
    assertThat(vm.call("relaxvm.list_at", list, -1).object()).isEqualTo("b");
    assertThat(vm.call("relaxvm.list_length", list).object()).isEqualTo(Shape.of(2));
    assertThat(list).hasToString("[a, b]");
  }

  @Test
  void aPositionMayBeATensor() {
    Tensor last = Tensor.of(new int[] {-1}, Shape.of(1));
    assertThat(vm.call("relaxvm.list_at", Tuple.of("a", "b"), last).object()).isEqualTo("b");
  }

  @Test
  void positionsOutsideOfAListAreRefused() {
    Tuple list = Tuple.of("a", "b");
    assertFails(
        ErrorKind.INDEX,
        "no element can be read at 2 of a list of 2",
        () -> vm.call("relaxvm.list_at", list, 2));
    assertFails(
        ErrorKind.INDEX,
        "no element can be inserted at -1 of a list of 2",
        () -> vm.call("relaxvm.list_insert", list, "c", -3));
    assertFails(
        ErrorKind.INDEX,
        "no element can be erased at -1 of a list of 0",
        () -> vm.call("relaxvm.list_erase", Tuple.of()));
  }

  @Test
  void elementsLiveAsLongAsAListHasThem() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    Tuple list = vm.call("relaxvm.list_insert", Tuple.of(), tensor).asTuple();
    tensor.close();
    Tensor element = vm.call("relaxvm.list_at", list, 0).asTensor();
    Tuple shorter = vm.call("relaxvm.list_erase", list).asTuple();
    list.close();
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(1);
    element.close();
    shorter.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void tensorsAreJoinedAlongAnAxis() {
    Tuple list = Tuple.of(floats(Shape.of(2, 1), 1, 2), floats(Shape.of(2, 2), 3, 4, 5, 6));
    Tensor joined = vm.call("relaxvm.list_concat", list, 1, false).asTensor();
    assertThat(joined).hasToString("float32[2, 3] on cpu:0");
    assertThat(joined.toFloatArray()).containsExactly(1, 3, 4, 2, 5, 6);
    Tuple same = Tuple.of(floats(Shape.of(2), 1, 2), floats(Shape.of(2), 3, 4));
    Tensor stacked = vm.call("relaxvm.list_concat", same, -1, true).asTensor();
    assertThat(stacked.shape()).isEqualTo(Shape.of(2, 2));
    assertThat(stacked.toFloatArray()).containsExactly(1, 3, 2, 4);
  }

  @Test
  void tensorsThatDoNotFitAreNotJoined() {
    Tuple list = Tuple.of(floats(Shape.of(2), 1, 2), floats(Shape.of(1), 3));
    assertFails(
        ErrorKind.VALUE,
        "tensors that are joined along axis 1 do not fit: float32[2] on cpu:0 and float32[1] on"
            + " cpu:0",
        () -> vm.call("relaxvm.list_concat", list, 1, true));
    assertFails(
        ErrorKind.VALUE,
        "a list without tensors cannot be joined to one",
        () -> vm.call("relaxvm.list_concat", Tuple.of(), 0, false));
    assertFails(
        ErrorKind.INDEX,
        "the result has 1 axes, but is joined along axis 1",
        () -> vm.call("relaxvm.list_concat", list, 1, false));
    assertFails(
        ErrorKind.TYPE,
        "a list of tensors is joined, but it has another value: x",
        () -> vm.call("relaxvm.list_concat", Tuple.of("x"), 0, false));
  }

  @Test
  void nullIsAbsent() {
    assertThat(vm.call("relaxvm.host.is_present", "x").asTensor().toLongArray()).containsExactly(1);
    assertThat(vm.call("relaxvm.host.is_present", (Object) null).asTensor().toLongArray())
        .containsExactly(0);
  }
}
