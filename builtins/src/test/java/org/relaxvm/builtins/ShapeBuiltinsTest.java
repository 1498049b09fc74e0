package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class ShapeBuiltinsTest {
  private static final String CONTEXT = "ErrorContext(fn=main, loc=return) ";

  private final FakeVm vm = new FakeVm();

  @Test
  void theHeapIsAZeroedHostTensor() {
    try (Tensor heap = heap(5)) {
      assertThat(heap.dtype()).isEqualTo(DType.INT64);
      assertThat(heap.shape()).isEqualTo(Shape.of(5));
      assertThat(heap.toLongArray()).containsOnly(0);
    }
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void aNegativeHeapSizeIsRefused() {
    assertFails(
        ErrorKind.VALUE,
        "shape [-1] has a negative extent and so no element count",
        () -> heap(-1));
  }

  @Test
  void extentsGoThroughTheHeapIntoNewShapes() {
    Tensor heap = heap(4);
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(7, 3, 5));
    assertThat(match(x, heap, 3, 1, 2, 0, 3, 2, 99).isNull()).isTrue();
    assertThat(heap.toLongArray()).containsExactly(0, 0, 7, 0);
    assertThat(vm.call("vm.builtin.make_shape", heap, 3, 1, 2, 0, 64, 1, 0).asShape())
        .isEqualTo(Shape.of(7, 64, 0));
    assertThat(match(Shape.of(7), heap, 1, 3, 2).isNull()).isTrue();
  }

  @Test
  void aShapeOfRankZeroMatchesAndIsMade() {
    assertThat(match(Tensor.scalar(1L), null, 0).isNull()).isTrue();
    assertThat(vm.call("vm.builtin.make_shape", null, 0).asShape()).isEqualTo(Shape.scalar());
  }

  @Test
  void anAllImmediateMatchNeedsNoHeap() {
    assertThat(match(Shape.of(2, 3), null, 2, 0, 2, 0, 3).isNull()).isTrue();
    assertThat(vm.call("vm.builtin.make_shape", null, 1, 0, 8).asShape()).isEqualTo(Shape.of(8));
  }

  @Test
  void anotherRankIsRefused() {
    assertFails(
        ErrorKind.RUNTIME,
        CONTEXT + " match_cast shape size mismatch.",
        "the result of main: it has 2 dimensions, expected 1\n  got: shape [2, 3]",
        () -> match(Shape.of(2, 3), null, 1, 0, 2));
  }

  @Test
  void anExtentThatIsNotTheConstantIsRefused() {
    assertFails(
        ErrorKind.RUNTIME,
        CONTEXT + " match_cast error,  shape[1] mismatch to specified constant.",
        "the result of main: dimension 1 is 3, expected 4\n  got: shape [2, 3]",
        () -> match(Shape.of(2, 3), null, 2, 0, 2, 0, 4));
  }

  @Test
  void anExtentThatIsNotThePreviousValueIsRefused() {
    Tensor heap = heap(1);
    assertFails(
        ErrorKind.RUNTIME,
        CONTEXT + " match_cast error,  shape[1] mismatch to a previous populated value.",
        "the result of main: dimension 1 is 3, expected 2, the value of the same symbol before\n"
            + "  got: shape [2, 3]",
        () -> match(Shape.of(2, 3), heap, 2, 1, 0, 3, 0));
  }

  @Test
  void anErrorWithoutContextNamesNoValue() {
    assertFails(
        ErrorKind.RUNTIME,
        "a checked value: it has 1 dimension, expected 0\n" + "  got: shape [2]",
        () -> vm.call("vm.builtin.match_shape", Shape.of(2), null, 0, null));
  }

  @Test
  void anErrorNamesTheParameterThatTheCompilerNamed() {
    String context =
        "ErrorContext(fn=main, loc=param[0], param=image, annotation=R.Tensor((n, 1, 28, 28))) ";
    assertFails(
        ErrorKind.RUNTIME,
        context + " match_cast error,  shape[2] mismatch to specified constant.",
        "argument 'image' of main: dimension 2 is 27, expected 28\n"
            + "  got: shape [5, 1, 27, 28]\n  declared: R.Tensor((n, 1, 28, 28))",
        () ->
            vm.call(
                "vm.builtin.match_shape",
                Shape.of(5, 1, 27, 28),
                null,
                4,
                2,
                0,
                0,
                1,
                0,
                28,
                0,
                28,
                context));
    String cast = "ErrorContext(match_cast, ty=R.Shape([3])) ";
    assertFails(
        ErrorKind.RUNTIME,
        cast + " match_cast shape size mismatch.",
        "the value of match_cast: it has 2 dimensions, expected 1\n  got: shape [3, 4]\n"
            + "  declared: R.Shape([3])",
        () -> vm.call("vm.builtin.match_shape", Shape.of(3, 4), null, 1, 0, 3, cast));
  }

  @Test
  void primValuesMatchAndAreMade() {
    Tensor heap = heap(2);
    matchPrim(5, null, 0, 5);
    matchPrim(6, heap, 1, 1);
    matchPrim(6, heap, 3, 1);
    matchPrim(7, heap, 2, 1);
    assertThat(vm.call("vm.builtin.make_prim_value", heap, 1, 1).asLong()).isEqualTo(6);
    assertThat(vm.call("vm.builtin.make_prim_value", null, 0, -9).asLong()).isEqualTo(-9);
  }

  @Test
  void aPrimValueThatDiffersIsRefused() {
    assertFails(
        ErrorKind.RUNTIME,
        CONTEXT + " match_cast error,  PrimExpr mismatch to specified constant.",
        "the result of main: the value is 5, expected 4",
        () -> matchPrim(5, null, 0, 4));
    assertFails(
        ErrorKind.RUNTIME,
        CONTEXT + " match_cast error,  PrimExpr mismatch to a previous populated value.",
        "the result of main: the value is 5, expected 0, the value of the same symbol before",
        () -> matchPrim(5, heap(1), 3, 0));
  }

  @Test
  void unknownCodesAreRefused() {
    assertFails(
        ErrorKind.INTERNAL,
        "shape match code 4 is unknown; known are 0 to 3",
        () -> matchPrim(5, null, 4, 4));
    assertFails(
        ErrorKind.INTERNAL,
        "Unknown match shape code: 9",
        "shape match code 9 is unknown; known are 0 to 3",
        () -> match(Shape.of(1), null, 1, 9, 0));
    assertFails(
        ErrorKind.INTERNAL,
        "Invalid shape code: 2",
        "shape code 2 is unknown; known are 0 and 1",
        () -> vm.call("vm.builtin.make_prim_value", null, 2, 0));
    assertFails(
        ErrorKind.INTERNAL,
        "Invalid shape code: -1",
        "shape code -1 is unknown; known are 0 and 1",
        () -> vm.call("vm.builtin.make_shape", null, 1, -1, 0));
  }

  @Test
  void slotsOutsideOfTheHeapAreRefused() {
    Tensor heap = heap(2);
    assertFails(
        ErrorKind.INDEX,
        "slot 2 is outside of the shape heap, which has 2 slots",
        () -> match(Shape.of(1), heap, 1, 1, 2));
    assertFails(
        ErrorKind.INDEX,
        "slot -1 is outside of the shape heap, which has 2 slots",
        () -> vm.call("vm.builtin.make_prim_value", heap, 1, -1));
    assertFails(
        ErrorKind.VALUE,
        "slot 0 of the shape heap is needed, but the heap that was passed is null",
        () -> vm.call("vm.builtin.make_prim_value", null, 1, 0));
    assertFails(
        ErrorKind.TYPE,
        "expected a shape heap, a contiguous int64 tensor of rank 1, but got float32[2] on cpu:0",
        () ->
            vm.call("vm.builtin.make_prim_value", Tensor.zeros(DType.FLOAT32, Shape.of(2)), 1, 0));
  }

  @Test
  void missingPairsAreRefused() {
    assertFails(
        ErrorKind.VALUE,
        "vm.builtin.make_shape needs a code and an operand for each of 3 dimensions, but 2"
            + " arguments follow their number",
        () -> vm.call("vm.builtin.make_shape", null, 3, 0, 8));
    assertFails(
        ErrorKind.VALUE,
        "vm.builtin.match_shape needs a code and an operand for each of -1 dimensions, but 1"
            + " arguments follow their number",
        () -> match(Shape.of(1), null, -1));
  }

  @Test
  void whatHasNoShapeIsRefused() {
    assertFails(
        ErrorKind.TYPE, "argument #0 must be a shape, but is an integer", () -> match(3L, null, 0));
  }

  private Tensor heap(long size) {
    return vm.call("vm.builtin.alloc_shape_heap", vm, size).asTensor();
  }

  private void matchPrim(long value, @Nullable Object heap, long code, long reg) {
    vm.call("vm.builtin.match_prim_value", value, heap, code, reg, CONTEXT);
  }

  private Value match(Object x, @Nullable Object heap, long rank, long... pairs) {
    @Nullable Object[] args = new Object[4 + pairs.length];
    args[0] = x;
    args[1] = heap;
    args[2] = rank;
    for (int i = 0; i < pairs.length; i++) {
      args[3 + i] = pairs[i];
    }
    args[args.length - 1] = CONTEXT;
    return vm.call("vm.builtin.match_shape", args);
  }
}
