package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class FunctionKernelsTest {
  private static final double NAN = Double.NaN;
  private static final double INF = Double.POSITIVE_INFINITY;
  private static final double[] SPECIAL = {NAN, INF, -INF, 0, -0.0};

  private static double[] apply(String name, double[] x, @Nullable Object... parameters) {
    Tensor out = Tensor.zeros(DType.FLOAT64, Shape.of(x.length));
    @Nullable Object[] args = new Object[parameters.length + 2];
    args[0] = Tensor.of(x, Shape.of(x.length));
    System.arraycopy(parameters, 0, args, 1, parameters.length);
    args[args.length - 1] = out;
    Kernels.call(name, args);
    return out.toDoubleArray();
  }

  private static double[] pair(String name, double[] a, double[] b) {
    return apply(name, a, Tensor.of(b, Shape.of(b.length)));
  }

  private static long[] longs(String name, DType dtype, long[] a, long[] b) {
    Tensor out = Tensor.zeros(dtype, Shape.of(a.length));
    Kernels.call(name, of(dtype, a), of(dtype, b), out);
    long[] result = new long[a.length];
    Tensor wide = Tensor.zeros(DType.INT64, out.shape());
    Kernels.call("cast", out, wide);
    System.arraycopy(wide.toLongArray(), 0, result, 0, result.length);
    return result;
  }

  private static Tensor of(DType dtype, long[] values) {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(values.length));
    Kernels.call("cast", Tensor.of(values, Shape.of(values.length)), tensor);
    return tensor;
  }

  @Test
  void testsTellNanAndInfinityApart() {
    assertThat(truths("isnan")).containsExactly(1, 0, 0, 0, 0);
    assertThat(truths("isinf")).containsExactly(0, 1, 1, 0, 0);
    assertThat(truths("isfinite")).containsExactly(0, 0, 0, 1, 1);
  }

  private static double[] truths(String name) {
    Tensor x = Tensor.of(SPECIAL, Shape.of(SPECIAL.length));
    double[] truths = truths(name, x);
    for (DType dtype : RandomTensors.FLOATS) {
      Tensor cast = Tensor.zeros(dtype, x.shape());
      Kernels.call("cast", x, cast);
      assertThat(truths(name, cast)).as("%s of %s", name, dtype).containsExactly(truths);
    }
    return truths;
  }

  private static double[] truths(String name, Tensor x) {
    Tensor out = Tensor.zeros(DType.BOOL, x.shape());
    Kernels.call(name, x, out);
    return out.toDoubleArray();
  }

  @Test
  void functionsKeepTheirLimits() {
    assertThat(apply("sign", SPECIAL)).containsExactly(NAN, 1, -1, 0, -0.0);
    assertThat(apply("trunc", SPECIAL)).containsExactly(NAN, INF, -INF, 0, -0.0);
    assertThat(apply("asinh", SPECIAL)).containsExactly(NAN, INF, -INF, 0, -0.0);
    assertThat(apply("acosh", new double[] {NAN, INF, 1, 0.5, -INF}))
        .containsExactly(NAN, INF, 0, NAN, NAN);
    assertThat(apply("atanh", new double[] {NAN, 1, -1, 0, -0.0, 1.5}))
        .containsExactly(NAN, INF, -INF, 0, -0.0, NAN);
    assertThat(apply("gelu_tanh", SPECIAL)).containsExactly(NAN, INF, -0.0, 0, -0.0);
    assertThat(apply("selu", new double[] {NAN, INF, 0})).containsExactly(NAN, INF, 0);
    assertThat(apply("softplus", new double[] {NAN, INF, -INF, 1000}, 1, 20))
        .containsExactly(NAN, INF, 0, 1000);
    assertThat(apply("leaky_relu", new double[] {NAN, INF, -2, 0}, 0.25))
        .containsExactly(NAN, INF, -0.5, 0);
    double[] slopes = {0.25, 1, 3, -2, INF};
    for (double alpha : slopes) {
      assertThat(apply("leaky_relu", new double[] {4, -4, INF, -INF, NAN, -0.5}, alpha))
          .containsExactly(4, -4 * alpha, INF, -INF * alpha, NAN, -0.5 * alpha);
    }
    assertThat(apply("leaky_relu", new double[] {INF, -2, -INF}, 0))
        .containsExactly(INF, -0.0, NAN);
    assertThat(apply("clip", SPECIAL, -1, 1.5)).containsExactly(NAN, 1.5, -1, 0, -0.0);
  }

  @Test
  void inverseHyperbolicFunctionsAreExactForSmallAndLargeNumbers() {
    double[] sizes = {1e-12, -1e-5, 1e-3, -3, 700};
    for (double x : sizes) {
      assertThat(apply("asinh", new double[] {Math.sinh(x)})[0]).isCloseTo(x, near(x));
    }
    assertThat(apply("atanh", new double[] {Math.tanh(1e-9)})[0]).isCloseTo(1e-9, near(1e-9));
    assertThat(apply("acosh", new double[] {Math.cosh(700)})[0]).isCloseTo(700, near(700));
    assertThat(apply("asinh", new double[] {-1e300})[0])
        .isCloseTo(-(Math.log(2) + 300 * Math.log(10)), near(700));
  }

  private static Offset<Double> near(double x) {
    return within(4e-15 * Math.abs(x));
  }

  @Test
  void restsHaveTheSignTheirNameSays() {
    double[] a = {7, -7, 7, -7, 1, -1, 1, 7};
    double[] b = {3, 3, -3, -3, INF, INF, 0, NAN};
    assertThat(pair("mod", a, b)).containsExactly(1, -1, 1, -1, 1, -1, NAN, NAN);
    assertThat(pair("floor_mod", a, b)).containsExactly(1, 2, -2, -1, 1, INF, NAN, NAN);
    assertThat(pair("floor_divide", a, b)).containsExactly(2, -3, -3, 2, 0, -0.0, INF, NAN);
    long[] x = {7, -7, 7, -7, 7, Long.MIN_VALUE};
    long[] y = {3, 3, -3, -3, 0, -1};
    assertThat(longs("mod", DType.INT64, x, y)).containsExactly(1, -1, 1, -1, 0, 0);
    assertThat(longs("floor_mod", DType.INT64, x, y)).containsExactly(1, 2, -2, -1, 0, 0);
    assertThat(longs("floor_divide", DType.INT64, x, y))
        .containsExactly(2, -3, -3, 2, 0, Long.MIN_VALUE);
    assertThat(longs("floor_mod", DType.UINT64, new long[] {-1}, new long[] {10}))
        .containsExactly(5);
  }

  @Test
  void shiftsByTooMuchOrLessThanNothingLeaveNoBit() {
    long[] a = {1, -1, -128, 3, 5, -5};
    long[] b = {7, 1, 7, 8, -1, -1};
    assertThat(longs("left_shift", DType.INT8, a, b)).containsExactly(-128, -2, 0, 0, 0, 0);
    assertThat(longs("right_shift", DType.INT8, a, b)).containsExactly(0, -1, -1, 0, 0, -1);
    assertThat(longs("right_shift", DType.UINT8, new long[] {255, 255}, new long[] {1, 255}))
        .containsExactly(127, 0);
    assertThat(longs("right_shift", DType.UINT64, new long[] {-1, -1}, new long[] {63, -1}))
        .containsExactly(1, 0);
  }

  @Test
  void clipConvertsItsBoundsLikeCast() {
    Tensor x = of(DType.INT8, new long[] {-100, 0, 100});
    Tensor out = Tensor.zeros(DType.INT8, Shape.of(3));
    Kernels.call("clip", x, Double.NEGATIVE_INFINITY, 7.9, out);
    assertThat(out.toDoubleArray()).containsExactly(-100, 0, 7);
  }

  @Test
  void slopesBeyondTheRangeOfFloatsMakeNoNaN() {
    Tensor x = Tensor.of(new float[] {0, (float) INF, 3, -3}, Shape.of(4));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(4));
    Kernels.call("leaky_relu", x, 1e40, out);
    assertThat(out.toDoubleArray()).containsExactly(0, INF, 3, -INF);
    Kernels.call("leaky_relu", x, 1e-50, out);
    assertThat(out.toDoubleArray()).containsExactly(0, INF, 3, -0.0);
  }

  @Test
  void softplusKeepsItsDigitsWhereItIsSmallAndDoesNotOverflow() {
    for (double z : new double[] {-700, -40, -17.5, -1, -1e-9, 0, 0.3, 2, 18, 36, 700}) {
      double wanted = z > 36 ? z : Math.log1p(Math.exp(z));
      for (double beta : new double[] {1, -0.5, 4}) {
        double y = apply("softplus", new double[] {z / beta}, beta, INF)[0];
        assertThat(y).as("of %s with %s", z, beta).isCloseTo(wanted / beta, near(wanted / beta));
      }
    }
    assertThat(apply("softplus", new double[] {2000}, 1, INF)).containsExactly(2000);
  }

  @Test
  void aSoftplusWithoutSlopeIsRefused() {
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(1));
    assertThatThrownBy(() -> Kernels.call("softplus", x, 0, 20, x))
        .isInstanceOf(CallException.class)
        .hasMessage("relaxvm.softplus: argument #1 'beta' must be not 0 but is 0.0");
  }
}
