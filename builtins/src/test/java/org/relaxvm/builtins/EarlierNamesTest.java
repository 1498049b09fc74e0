package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class EarlierNamesTest {
  private final FakeVm vm = new FakeVm();

  @Test
  void movesReturnTheirArgument() {
    assertThat(vm.call("vm.move", 7).asLong()).isEqualTo(7);
    assertThat(vm.call("vm.builtin.move", Shape.of(2)).object()).isEqualTo(Shape.of(2));
  }

  @Test
  void shapesAreStoredInTheHeapAndLoadedFromIt() {
    try (Value heap = vm.call("vm.builtin.alloc_shape_heap", 4)) {
      Tensor slots = heap.asTensor();
      assertThat(slots).hasToString("int64[4] on cpu:0");
      vm.call("vm.builtin.store_shape", Shape.of(5, 6), slots, 3, 1);
      assertThat(slots.toLongArray()).containsExactly(0, 6, 0, 5);
      vm.call("vm.builtin.store_shape", Tensor.of(new float[] {1, 2}, Shape.of(2)), slots, 0);
      assertThat(vm.call("vm.builtin.load_shape", slots, 0, 3, 1).object())
          .isEqualTo(Shape.of(2, 5, 6));
      assertThat(vm.call("vm.builtin.load_shape", slots).object()).isEqualTo(Shape.of());
    }
  }

  @Test
  void wrongNumbersOfSlotsAndArgumentsAreRefused() {
    try (Value heap = vm.call("vm.builtin.alloc_shape_heap", 1)) {
      Tensor slots = heap.asTensor();
      assertFails(
          ErrorKind.VALUE,
          "vm.builtin.store_shape needs one slot of the heap for each dimension of [5, 6], but"
              + " got 1",
          () -> vm.call("vm.builtin.store_shape", Shape.of(5, 6), slots, 0));
      assertFails(
          ErrorKind.INDEX,
          "slot 1 is outside of the shape heap, which has 1 slots",
          () -> vm.call("vm.builtin.load_shape", slots, 1));
    }
    assertFails(
        ErrorKind.TYPE,
        "vm.builtin.store_shape(shape, heap, slots...) needs at least 2 arguments, but got 1",
        () -> vm.call("vm.builtin.store_shape", Shape.of()));
    assertFails(
        ErrorKind.TYPE,
        "vm.builtin.load_shape(heap, slots...) needs at least 1 arguments, but got 0",
        () -> vm.call("vm.builtin.load_shape"));
  }

  @Test
  void printWritesItsArgumentsInOneLine() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BuiltinFunctions builtins =
        new BuiltinFunctions(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    FakeVm printing = new FakeVm(builtins);
    assertThat(printing.call("vm.builtin.print", "x =", Shape.of(2, 3), 1).object()).isNull();
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("x = [2, 3] 1" + System.lineSeparator());
  }
}
