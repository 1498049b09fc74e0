package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;

class ControlBuiltinsTest {
  private final FakeVm vm = new FakeVm(new FakeGpu("cuda", 0));

  @Test
  void scalarsAreTrueUnlessZero() {
    assertThat(read(true)).isEqualTo(true);
    assertThat(read(false)).isEqualTo(false);
    assertThat(read(0L)).isEqualTo(false);
    assertThat(read(-3L)).isEqualTo(true);
    assertThat(read(1L << 40)).isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bool", "uint1", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"
      })
  void tensorsOfEveryWidthAreTrueUnlessZero(String name) {
    DType dtype = DType.parse(name);
    assertThat(read(Tensor.zeros(dtype, Shape.scalar()))).isEqualTo(false);
    Tensor one = Tensor.zeros(dtype, Shape.scalar());
    one.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    assertThat(read(one)).isEqualTo(true);
    if (dtype.bits() > 8) {
      Tensor highByte = Tensor.zeros(dtype, Shape.scalar());
      MemorySegment bytes = highByte.segment();
      bytes.set(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1, (byte) 1);
      assertThat(read(highByte)).isEqualTo(true);
    }
  }

  @Test
  void theFirstElementOfAViewCounts() {
    Tensor tensor = Tensor.of(new int[] {0, 5, 0}, Shape.of(3));
    assertThat(read(tensor)).isEqualTo(false);
    assertThat(read(tensor.slice(0, 1, 3))).isEqualTo(true);
  }

  @Test
  void aTensorOnADeviceIsReadBack() {
    Tensor host = Tensor.of(new boolean[] {true}, Shape.scalar());
    try (Tensor onGpu = DeviceTensors.copyTo(host, vm.allocator(0), vm.stream(0))) {
      assertThat(read(onGpu)).isEqualTo(true);
    }
  }

  @Test
  void otherDtypesAndEmptyTensorsAreRefused() {
    assertFails(
        ErrorKind.INTERNAL,
        "a condition cannot be a tensor of float32\n"
            + "  expected: a boolean, an integer, or a tensor of bool, int or uint "
            + "with 1, 8, 16, 32 or 64 bits",
        () -> read(Tensor.scalar(1f)));
    assertFails(
        ErrorKind.INTERNAL,
        "Unknown scalar int type: int4",
        "a condition cannot be a tensor of int4\n"
            + "  expected: a boolean, an integer, or a tensor of bool, int or uint "
            + "with 1, 8, 16, 32 or 64 bits",
        () -> read(Tensor.zeros(DType.parse("int4"), Shape.of(2))));
    assertFails(
        ErrorKind.VALUE,
        "a condition needs one element, but the tensor is empty: int64[0] on cpu:0",
        () -> read(Tensor.zeros(DType.INT64, Shape.of(0))));
    assertFails(ErrorKind.TYPE, "argument #0 must be a tensor, but is null", () -> read(null));
  }

  private @Nullable Object read(@Nullable Object condition) {
    return vm.call("vm.builtin.read_if_cond", condition).object();
  }
}
