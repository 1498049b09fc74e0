package org.relaxvm.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.fakes.FakeDevice;
import org.relaxvm.api.host.HostDevice;

/** Parameters of kernels and their conversion (docs/spec/device-modules.md, section 2). */
class KernelEntryTest {
  private static final DType HANDLE = KernelEntry.HANDLE;

  private static KernelEntry scalar(DType dtype) {
    return new KernelEntry("k", List.of(dtype), List.of());
  }

  private static long bits(DType dtype, Object value) {
    return scalar(dtype).scalarBits(CallArgs.of(value), 0);
  }

  @Test
  void scalarsBecomeTheBitsOfTheirParameter() {
    assertThat(bits(DType.INT64, -2L)).isEqualTo(-2);
    assertThat(bits(DType.INT32, -2L)).isEqualTo(0xFFFF_FFFEL);
    assertThat(bits(DType.UINT32, 0x1_2345_6789L)).isEqualTo(0x2345_6789L);
    assertThat(bits(DType.FLOAT64, 1.5)).isEqualTo(Double.doubleToRawLongBits(1.5));
    assertThat(bits(DType.FLOAT32, 0.1)).isEqualTo(Float.floatToRawIntBits(0.1f));
    assertThat(bits(DType.FLOAT32, -1.5)).isEqualTo(0xBFC0_0000L);
    assertThat(bits(DType.FLOAT32, 3L)).isEqualTo(Float.floatToRawIntBits(3f));
  }

  @Test
  void scalarsOfAnotherFamilyAreRefused() {
    assertThatThrownBy(() -> bits(DType.INT32, 1.5))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #0 must be an integer, but is a floating-point number");
    assertThatThrownBy(() -> bits(DType.FLOAT32, "1"))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #0 must be a floating-point number, but is a string");
    assertThatThrownBy(() -> bits(HANDLE, 1L))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #0 must be memory, but is an integer");
  }

  @Test
  void otherParametersAreRefused() {
    for (DType dtype :
        List.of(
            DType.BOOL,
            DType.INT8,
            DType.INT16,
            DType.UINT8,
            DType.UINT16,
            DType.UINT64,
            DType.FLOAT16,
            DType.BFLOAT16)) {
      assertThatThrownBy(() -> scalar(dtype))
          .isInstanceOfSatisfying(
              InvalidProgramException.class,
              e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
          .hasMessage(
              "a parameter has the type "
                  + dtype
                  + "\n  expected: handle, int32, int64, uint32, float32 or float64\n  kernel: k");
    }
    assertThatThrownBy(() -> scalar(DType.parse("float32x4")))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("a parameter is a vector, float32x4\n  kernel: k");
  }

  @Test
  void contradictionsAreRefused() {
    assertThatThrownBy(
            () ->
                new KernelEntry(
                    "k", List.of(), List.of(LaunchTag.DYNAMIC_SHARED_MEMORY, LaunchTag.BLOCK_X)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the launch tag of dynamic shared memory must come last, but the tags "
                + "are [tirx.use_dyn_shared_memory, blockIdx.x]\n"
                + "  kernel: k");
    assertThatThrownBy(
            () -> new KernelEntry("k", List.of(), List.of(LaunchTag.BLOCK_X, LaunchTag.BLOCK_X)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the launch tag blockIdx.x is given twice\n  kernel: k");
    assertThatThrownBy(
            () -> new KernelEntry("k", List.of(DType.INT32), List.of(), Set.of(0), false))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("tensor map 0 must be the index of a handle\n  kernel: k");
    assertThatThrownBy(() -> new KernelEntry("", List.of(), List.of()))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("a kernel must have a name\n  kernel: ");
  }

  @Test
  void memoryIsATensorAStorageOrNull() {
    KernelEntry entry = new KernelEntry("k", List.of(HANDLE), List.of());
    try (Tensor whole = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(4));
        Tensor tail = whole.slice(0, 1, 4)) {
      Storage storage = whole.storage();
      CallArgs args = CallArgs.of(tail);
      assertThat(entry.storageAt(args, 0, HostDevice.INSTANCE)).isSameAs(tail.storage());
      assertThat(entry.byteOffsetAt(args, 0)).isEqualTo(4);
      args = CallArgs.of(storage);
      assertThat(entry.storageAt(args, 0, HostDevice.INSTANCE)).isSameAs(storage);
      assertThat(entry.byteOffsetAt(args, 0)).isZero();
      args = CallArgs.of((Object) null);
      assertThat(entry.storageAt(args, 0, HostDevice.INSTANCE)).isNull();
      assertThat(entry.byteOffsetAt(args, 0)).isZero();
      assertThatThrownBy(() -> entry.storageAt(CallArgs.of(5L), 0, HostDevice.INSTANCE))
          .isInstanceOf(CallException.class)
          .hasMessage("argument #0 must be a tensor, but is an integer");
      FakeDevice other = new FakeDevice("fake:0");
      assertThatThrownBy(() -> entry.storageAt(CallArgs.of(tail), 0, other))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "argument #0 of kernel k must be on fake:0, but is on " + HostDevice.INSTANCE);
    }
  }

  @Test
  void aTensorMapIsItsBytes() {
    KernelEntry entry = new KernelEntry("k", List.of(HANDLE), List.of(), Set.of(0), false);
    assertThat(entry.isMemory(0)).isFalse();
    byte[] map = new byte[KernelEntry.TENSOR_MAP_BYTES];
    assertThat(entry.tensorMapAt(CallArgs.of((Object) map), 0)).isSameAs(map);
    assertThatThrownBy(() -> entry.tensorMapAt(CallArgs.of((Object) new byte[5]), 0))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #0 must be a tensor map of 128 bytes, but is bytes");
  }

  @Test
  void olderNamesOfTagsAreKnown() {
    for (LaunchTag tag : LaunchTag.values()) {
      assertThat(LaunchTag.parse(tag.text())).isEqualTo(tag);
    }
    assertThat(LaunchTag.parse("tir.use_dyn_shared_memory"))
        .isEqualTo(LaunchTag.DYNAMIC_SHARED_MEMORY);
    assertThatThrownBy(() -> LaunchTag.parse("vthread"))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith(
            "unknown launch tag 'vthread'\n  expected: one of [blockIdx.x, blockIdx.y,")
        .hasMessageEndingWith("\n  what to do: compile the program for this release");
  }
}
