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
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;

class TensorBuiltinsTest {
  private final FakeVm vm = new FakeVm(new FakeGpu("cuda", 0), new FakeGpu("npu", 0));
  private final Tensor tensor = Tensor.of(new int[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));

  @Test
  void reshapeIsAView() {
    try (Tensor view = vm.call("vm.builtin.reshape", tensor, Shape.of(3, 2)).asTensor()) {
      assertThat(view.storage()).isSameAs(tensor.storage());
      assertThat(view.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
    }
    assertFails(
        ErrorKind.VALUE,
        "a view of 28 bytes (int32[7]) at byte offset 0 does not fit a tensor "
            + "of 24 bytes (int32[2, 3])",
        () -> vm.call("vm.builtin.reshape", tensor, Shape.of(7)));
    assertFails(
        ErrorKind.INTERNAL,
        "Can only create view for compact tensor, but found strides [1, 3], for shape [3, 2]",
        "only a contiguous tensor can be reinterpreted, but this one has strides [1, 3], for shape"
            + " [3, 2]",
        () -> vm.call("vm.builtin.reshape", tensor.permute(1, 0), Shape.of(6)));
  }

  private Tensor view(Object shape, Object dtype, Object offset) {
    return vm.call("runtime.TVMTensorCreateView", tensor, shape, dtype, offset).asTensor();
  }

  @Test
  void aViewHasAnotherShapeDtypeAndStart() {
    try (Tensor bytes = view(Shape.of(2, 4), DType.UINT8, 8L)) {
      assertThat(bytes.storage()).isSameAs(tensor.storage());
      assertThat(bytes.byteOffset()).isEqualTo(8);
      assertThat(bytes.toLongArray()).containsExactly(3, 0, 0, 0, 4, 0, 0, 0);
      try (Tensor inner =
          vm.call("runtime.TVMTensorCreateView", bytes, Shape.of(1), DType.INT32, 4L).asTensor()) {
        assertThat(inner.byteOffset()).isEqualTo(12);
        assertThat(inner.toLongArray()).containsExactly(4);
      }
    }
    assertThat(view(Shape.of(0), DType.INT64, 24L).toLongArray()).isEmpty();
  }

  @Test
  void whatAViewIsNotGivenIsThatOfTheTensor() {
    try (Tensor same = view(Tuple.of(), Tuple.of(), Tuple.of())) {
      assertThat(same.shape()).isEqualTo(tensor.shape());
      assertThat(same.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
    }
    try (Tensor floats =
        vm.call("runtime.TVMTensorCreateView", tensor, null, DType.FLOAT32, null).asTensor()) {
      assertThat(floats.shape()).isEqualTo(tensor.shape());
      assertThat(floats.dtype()).isEqualTo(DType.FLOAT32);
    }
  }

  @Test
  void aViewStaysWithinItsTensor() {
    assertFails(
        ErrorKind.VALUE,
        "a view of 20 bytes (int32[5]) at byte offset 8 does not fit a tensor "
            + "of 24 bytes (int32[2, 3])",
        () -> view(Shape.of(5), DType.INT32, 8L));
    assertFails(
        ErrorKind.VALUE,
        "View with shape [0] and datatype int32 would have a size of 0 bytes.  This would occupy"
            + " bytes 28 <= i_byte < 28 within the backing array.  However, the Tensor being viewed"
            + " only contains 24 bytes (shape = [2, 3], dtype= int32).",
        "a view of 0 bytes (int32[0]) at byte offset 28 does not fit a tensor of 24 bytes"
            + " (int32[2, 3])",
        () -> view(Shape.of(0), DType.INT32, 28L));
    assertFails(
        ErrorKind.VALUE,
        "a view begins within its tensor: its byte offset must be at least 0, but is -4",
        () -> view(Shape.of(1), DType.INT32, -4L));
    assertFails(
        ErrorKind.VALUE,
        "a view of int64 must begin at a multiple of 8 bytes, but would begin at byte 4 of the"
            + " memory (tensor at 0, byte offset 4)\n"
            + "  what to do: choose a multiple, or copy the bytes",
        () -> view(Shape.of(2), DType.INT64, 4L));
    assertFails(
        ErrorKind.INTERNAL,
        "Can only create view for compact tensor, but found strides [1, 3], for shape [3, 2]",
        "only a contiguous tensor can be reinterpreted, but this one has strides [1, 3], for shape"
            + " [3, 2]",
        () ->
            vm.call(
                "runtime.TVMTensorCreateView", tensor.permute(1, 0), Shape.of(6), DType.INT32, 0L));
  }

  @Test
  void copyIsAnAlias() {
    try (Tensor alias = vm.call("vm.builtin.copy", tensor).asTensor()) {
      assertThat(alias.storage()).isSameAs(tensor.storage());
    }
    assertThat(tensor.isLive()).isTrue();
    assertThat(vm.call("vm.builtin.copy", 5L).object()).isEqualTo(5L);
    assertThat(vm.call("vm.builtin.copy", (Object) null).isNull()).isTrue();
  }

  @Test
  void shapeOfIsTheShape() {
    assertThat(vm.call("vm.builtin.shape_of", tensor).asShape()).isEqualTo(Shape.of(2, 3));
    assertFails(
        ErrorKind.TYPE,
        "argument #0 of vm.builtin.shape_of must be a tensor, but is a tuple",
        () -> vm.call("vm.builtin.shape_of", Tuple.of()));
  }

  @Test
  void aTensorOfIntegersBecomesAShape() {
    assertThat(toShape(Tensor.of(new short[] {3, -1}, Shape.of(2)))).isEqualTo(Shape.of(3, -1));
    assertThat(toShape(Tensor.of(new int[] {}, Shape.of(0)))).isEqualTo(Shape.scalar());
    Tensor longs = Tensor.of(new long[] {1L << 40, 7, 9, 8}, Shape.of(4));
    assertThat(toShape(longs.stridedView(Shape.of(2), new long[] {2}, 0)))
        .isEqualTo(Shape.of(1L << 40, 9));
    try (Tensor onGpu = DeviceTensors.copyTo(longs, vm.allocator(0), vm.stream(0))) {
      assertThat(toShape(onGpu)).isEqualTo(Shape.of(1L << 40, 7, 9, 8));
    }
  }

  @Test
  void otherTensorsAreNoShapes() {
    String types = "\n  expected: int16, int32 or int64";
    assertFails(
        ErrorKind.INTERNAL,
        "a tensor that holds a shape cannot be of int8" + types,
        () -> toShape(Tensor.zeros(DType.INT8, Shape.of(1))));
    assertFails(
        ErrorKind.INTERNAL,
        "a tensor that holds a shape cannot be of uint32" + types,
        () -> toShape(Tensor.zeros(DType.UINT32, Shape.of(1))));
    assertFails(
        ErrorKind.VALUE,
        "a tensor that holds a shape has rank 1, but got int32[2, 3] on cpu:0",
        () -> toShape(tensor));
  }

  @Test
  void aTensorAtOffsetZeroIsReturnedAsItIs() {
    try (Tensor same = zeroOffset(tensor)) {
      assertThat(same.storage()).isSameAs(tensor.storage());
    }
  }

  @Test
  void anAlignedHostTensorIsReachedFromItsOwnStart() {
    Tensor bytes = Tensor.zeros(DType.INT8, Shape.of(192));
    Tensor middle = bytes.slice(0, 64, 96);
    Tensor moved = zeroOffset(middle);
    bytes.close();
    middle.close();
    assertThat(moved.byteOffset()).isZero();
    assertThat(moved.shape()).isEqualTo(Shape.of(32));
    moved.segment().fill((byte) 9);
    assertThat(bytes.storage().isLive()).isTrue();
    assertThat(Tensor.view(bytes.storage(), 63, DType.INT8, Shape.of(2)).toLongArray())
        .containsExactly(0, 9);
    moved.close();
  }

  @Test
  void anUnalignedTensorIsCopied() {
    Tensor second = tensor.slice(0, 1, 2);
    try (Tensor copy = zeroOffset(second)) {
      assertThat(copy.byteOffset()).isZero();
      assertThat(copy.storage()).isNotSameAs(tensor.storage());
      assertThat(copy.toLongArray()).containsExactly(4, 5, 6);
    }
    try (Tensor onGpu = DeviceTensors.copyTo(tensor, vm.allocator(0), vm.stream(0));
        Tensor copy = zeroOffset(onGpu.slice(0, 1, 2))) {
      assertThat(copy.byteOffset()).isZero();
      assertThat(copy.device()).hasToString("cuda:0");
      assertThat(copy.toLongArray()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void toDeviceAlwaysMakesANewTensor() {
    try (Tensor onGpu = vm.call("vm.builtin.to_device", tensor, 2, 0).asTensor();
        Tensor again = vm.call("vm.builtin.to_device", onGpu, 2, 0, "global").asTensor();
        Tensor back = vm.call("vm.builtin.to_device", again, 1, 0).asTensor();
        Tensor other = vm.call("vm.builtin.to_device", onGpu, 12, 0).asTensor()) {
      assertThat(onGpu.device()).hasToString("cuda:0");
      assertThat(again.storage()).isNotSameAs(onGpu.storage());
      assertThat(again.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(back.storage()).isNotSameAs(tensor.storage());
      assertThat(back.shape()).isEqualTo(Shape.of(2, 3));
      assertThat(other.device()).hasToString("npu:0");
      assertThat(other.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
    }
    assertThat(vm.allocator(0).liveBlocks()).isZero();
  }

  @Test
  void anUnknownDeviceIsRefusedWithTheOnesThereAre() {
    assertFails(
        ErrorKind.VALUE,
        "the VM has no device with type 2 and id 1\n"
            + "  its devices are cuda:0 (type 2, id 0), npu:0 (type 12, id 0), cpu:0 (type 1, id"
            + " 0)",
        () -> vm.call("vm.builtin.to_device", tensor, 2, 1));
  }

  private Shape toShape(Tensor values) {
    return vm.call("vm.builtin.tensor_to_shape", values).asShape();
  }

  private Tensor zeroOffset(Tensor any) {
    return vm.call("vm.builtin.ensure_zero_offset", any).asTensor();
  }
}
