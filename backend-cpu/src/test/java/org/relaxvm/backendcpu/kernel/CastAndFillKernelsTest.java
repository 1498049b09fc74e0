package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class CastAndFillKernelsTest {
  private static final List<DType> ALL =
      Stream.of(RandomTensors.FLOATS, RandomTensors.INTEGERS, List.of(DType.BOOL))
          .flatMap(List::stream)
          .toList();

  private final Random random = Kernels.random(CastAndFillKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  private static Tensor cast(Tensor x, DType dtype) {
    Tensor out = Tensor.zeros(dtype, x.shape());
    Kernels.call("cast", x, out);
    return out;
  }

  private static double[] cast(double[] values, DType dtype) {
    return cast(Tensor.of(values, Shape.of(values.length)), dtype).toDoubleArray();
  }

  @Test
  void everyPairOfDtypesConvertsSmallValues() {
    for (DType from : ALL) {
      for (DType to : ALL) {
        Shape shape = tensors.shape(random.nextInt(4), 5);
        Tensor x = tensors.values(from, tensors.broadcastable(shape));
        Tensor out = tensors.output(to, shape);
        Kernels.call("cast", x, out);
        double[] values = x.toDoubleArray();
        Expected.check(
            out,
            at -> {
              double value = Expected.element(values, x.shape(), at);
              if (to.equals(DType.BOOL)) {
                return value != 0 ? 1 : 0;
              }
              boolean clamped = to.toString().startsWith("u") && from.isFloat() && value < 0;
              return to.isFloat() ? value : clamped ? 0 : (double) (long) value;
            });
      }
    }
  }

  @Test
  void floatsOutOfRangeBecomeTheNearestInteger() {
    double[] values = {Double.NaN, 1e30, -1e30, 127.9, 128, -128.9, -129, 255.5, 256, -0.9};
    assertThat(cast(values, DType.INT8))
        .containsExactly(0, 127, -128, 127, 127, -128, -128, 127, 127, 0);
    assertThat(cast(values, DType.UINT8)).containsExactly(0, 255, 0, 127, 128, 0, 0, 255, 255, 0);
    double[] large = {0x1p63, -0x1p63, 0x1.8p63, 0x1p64, Double.NEGATIVE_INFINITY};
    assertThat(cast(Tensor.of(large, Shape.of(5)), DType.INT64).toLongArray())
        .containsExactly(
            Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE);
    assertThat(cast(Tensor.of(large, Shape.of(5)), DType.UINT64).toLongArray())
        .containsExactly(Long.MIN_VALUE, 0, 0xC000000000000000L, -1, 0);
  }

  @Test
  void integersKeepTheirLowBits() {
    Tensor x = Tensor.of(new long[] {256 + 5, -1, 128, 0x1_0000_0000L}, Shape.of(4));
    assertThat(cast(x, DType.INT8).toLongArray()).containsExactly(5, -1, -128, 0);
    assertThat(cast(x, DType.UINT16).toLongArray()).containsExactly(261, 65_535, 128, 0);
    assertThat(cast(x, DType.BOOL).toLongArray()).containsExactly(1, 1, 1, 1);
  }

  @Test
  void conversionsRoundOnlyOnce() {
    // Just above the middle of two float16: by way of float32 it would become the middle.
    double above = 1 + 0x1p-11 + 0x1p-40;
    assertThat(cast(new double[] {above, -above, 1 + 0x1p-11}, DType.FLOAT16))
        .containsExactly(1 + 0x1p-10, -1 - 0x1p-10, 1);
    assertThat(cast(new double[] {1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-8, 1 + 0x3p-8}, DType.BFLOAT16))
        .containsExactly(1 + 0x1p-7, 1, 1 + 0x1p-6);
    long middle = (1L << 60) + (1L << 36);
    Tensor x = Tensor.of(new long[] {middle + 1, -middle - 1, middle}, Shape.of(3));
    double next = 0x1p60 + 0x1p37;
    assertThat(cast(x, DType.FLOAT32).toDoubleArray()).containsExactly(next, -next, 0x1p60);
    Tensor largest = Tensor.of(new long[] {-1, Long.MIN_VALUE + 1}, Shape.of(2));
    assertThat(cast(largest.reinterpret(Shape.of(2), DType.UINT64), DType.FLOAT64).toDoubleArray())
        .containsExactly(0x1p64, 0x1p63);
  }

  @Test
  void fullConvertsItsValue() {
    for (DType dtype : ALL) {
      Tensor out = tensors.output(dtype, tensors.shape(random.nextInt(4), 5));
      Kernels.call("full", 2.75, out);
      double expected = dtype.isFloat() ? 2.75 : dtype.equals(DType.BOOL) ? 1 : 2;
      Expected.check(out, at -> expected);
    }
    Tensor exact = Tensor.zeros(DType.INT64, Shape.of(1500));
    Kernels.call("full", Long.MAX_VALUE - 1, exact);
    assertThat(exact.toLongArray()).containsOnly(Long.MAX_VALUE - 1);
  }

  @Test
  void arangeStepsThroughAllDtypes() {
    for (DType dtype :
        Stream.concat(RandomTensors.FLOATS.stream(), Stream.of(DType.INT32)).toList()) {
      Tensor out = tensors.output(dtype, Shape.of(20));
      Kernels.call("arange", 3, -2, out);
      Expected.check(out, at -> 3 - 2.0 * at[0]);
      Kernels.call("arange", 0.5, 0.25, out);
      Expected.check(
          out, at -> dtype.isFloat() ? 0.5 + 0.25 * at[0] : Math.floor(0.5 + 0.25 * at[0]));
    }
    Tensor longer = Tensor.zeros(DType.INT64, Shape.of(3000));
    Kernels.call("arange", Long.MAX_VALUE - 2999, 1, longer);
    assertThat(longer.toLongArray()[2999]).isEqualTo(Long.MAX_VALUE);
  }
}
