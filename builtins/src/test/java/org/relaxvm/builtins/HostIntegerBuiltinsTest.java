package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;

class HostIntegerBuiltinsTest {
  private static final String EXPECTED =
      "argument #0 must be an integer, a boolean, or a tensor with one element of bool, int or uint"
          + " with 1, 8, 16, 32 or 64 bits, but is ";

  private final FakeVm vm = new FakeVm(new FakeGpu("cuda", 0));

  @ParameterizedTest
  @CsvSource({
    "bool, 1",
    "uint1, 1",
    "int8, -1",
    "uint8, 255",
    "int16, 255",
    "uint16, 255",
    "int32, 255",
    "uint32, 255",
    "int64, 255",
    "uint64, 255"
  })
  void tensorsOfEveryWidthHoldAnInteger(String dtype, long value) {
    Tensor tensor = Tensor.zeros(DType.parse(dtype), Shape.of(1, 1));
    boolean small = dtype.equals("bool") || dtype.equals("uint1");
    tensor.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (small ? 1 : 255));
    assertThat(toInt(tensor)).isEqualTo(value);
  }

  @Test
  void unsignedIntegersAreNotNegative() {
    assertThat(toInt(Tensor.of(new byte[] {-1, -1}, DType.parse("uint16"), Shape.of(1))))
        .isEqualTo(65535L);
    assertThat(toInt(Tensor.of(new byte[] {-1, -1, -1, -1}, DType.parse("uint32"), Shape.of(1))))
        .isEqualTo(4294967295L);
  }

  @Test
  void integersAndBooleansAreTakenAsTheyAreAndTensorsOfDevicesCopied() {
    assertThat(toInt(5L)).isEqualTo(5L);
    assertThat(toInt(true)).isEqualTo(1L);
    try (Tensor onGpu = DeviceTensors.copyTo(Tensor.scalar(9L), vm.allocator(0), vm.stream(0))) {
      assertThat(toInt(onGpu)).isEqualTo(9L);
    }
  }

  @Test
  void equalityIsOfAllBitsOrOfTheLow32() {
    Tensor large = Tensor.scalar((1L << 32) + 1);
    assertThat(vm.call("vm.builtin.int_equal", large, 1).object()).isEqualTo(false);
    assertThat(vm.call("vm.builtin.int_equal", Tensor.scalar(1L), 1).object()).isEqualTo(true);
    assertThat(vm.call("vm.builtin.int_equal_reg", large, 1).object()).isEqualTo(true);
    assertThat(vm.call("vm.builtin.int_equal_reg", large, Tensor.scalar(2L)).object())
        .isEqualTo(false);
  }

  @Test
  void whatIsNoIntegerIsRefused() {
    assertFails(ErrorKind.TYPE, EXPECTED + "float32[] on cpu:0", () -> toInt(Tensor.scalar(1f)));
    assertFails(
        ErrorKind.TYPE,
        EXPECTED + "int64[2] on cpu:0",
        () -> toInt(Tensor.of(new long[2], Shape.of(2))));
    assertFails(ErrorKind.TYPE, EXPECTED + "a tuple", () -> toInt(Tuple.of()));
    assertFails(ErrorKind.TYPE, EXPECTED + "a floating-point number", () -> toInt(1.5));
    assertFails(ErrorKind.TYPE, EXPECTED + "null", () -> toInt(null));
  }

  @Test
  void shapesGoIntoTensorsAndBack() {
    Tensor shape =
        vm.call("vm.builtin.shape_of_tensor", Tensor.zeros(DType.INT8, Shape.of(2, 0))).asTensor();
    assertThat(shape).hasToString("int64[2] on cpu:0");
    assertThat(shape.toLongArray()).containsExactly(2, 0);
    assertThat(vm.call("vm.builtin.shape_of_tensor", Tensor.scalar(1L)).asTensor())
        .hasToString("int64[0] on cpu:0");
    assertThat(toShape(shape)).isEqualTo(Shape.of(2, 0));
    assertThat(toShape(Tensor.of(new int[] {3}, Shape.of(1)))).isEqualTo(Shape.of(3));
    assertThat(toShape(Tensor.scalar(1L))).isEqualTo(Shape.scalar());
    assertThat(toShape(Shape.of(4))).isEqualTo(Shape.of(4));
  }

  @Test
  void aTensorThatHoldsNoShapeIsRefused() {
    assertFails(
        ErrorKind.VALUE,
        "a tensor that holds a shape is of int16, int32 or int64 and of rank 1, or 0 for the shape"
            + " of a scalar, but got float32[] on cpu:0",
        () -> toShape(Tensor.scalar(1f)));
    assertFails(
        ErrorKind.TYPE, "argument #0 must be a shape, but is an integer", () -> toShape(1L));
  }

  private @Nullable Object toInt(@Nullable Object value) {
    return vm.call("vm.builtin.tensor_to_int", value).object();
  }

  private @Nullable Object toShape(@Nullable Object value) {
    return vm.call("vm.builtin.to_shape", value).object();
  }
}
