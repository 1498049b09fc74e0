package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class ElementwiseKernelsTest {
  private static final int ROUNDS = 60;
  private static final double NAN = Double.NaN;
  private static final double INF = Double.POSITIVE_INFINITY;

  private final Random random = Kernels.random(ElementwiseKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  private static final List<DType> NUMBERS =
      Stream.concat(RandomTensors.FLOATS.stream(), RandomTensors.INTEGERS.stream()).toList();

  @Test
  void arithmeticBroadcastsOverAnyStridesAndDtypes() {
    Map<String, DoubleBinaryOperator> ops = new LinkedHashMap<>();
    ops.put("add", Double::sum);
    ops.put("subtract", (a, b) -> a - b);
    ops.put("multiply", (a, b) -> a * b);
    ops.put("maximum", Math::max);
    ops.put("minimum", Math::min);
    ops.forEach((name, op) -> repeat(() -> binary(name, tensors.oneOf(NUMBERS), op)));
    repeat(() -> binary("divide", tensors.oneOf(RandomTensors.FLOATS), (a, b) -> a / b));
    repeat(() -> binary("power", tensors.oneOf(RandomTensors.FLOATS), Math::pow));
    repeat(() -> binary("logical_and", DType.BOOL, (a, b) -> a * b));
    repeat(() -> binary("logical_or", DType.BOOL, Math::max));
    repeat(
        () ->
            binary(
                "divide",
                tensors.oneOf(RandomTensors.INTEGERS),
                (a, b) -> b == 0 ? 0 : (double) ((long) a / (long) b)));
  }

  @Test
  void comparisonsGiveTruthValues() {
    Map<String, DoubleBinaryOperator> ops = new LinkedHashMap<>();
    ops.put("equal", (a, b) -> a == b ? 1 : 0);
    ops.put("not_equal", (a, b) -> a != b ? 1 : 0);
    ops.put("less", (a, b) -> a < b ? 1 : 0);
    ops.put("less_equal", (a, b) -> a <= b ? 1 : 0);
    ops.put("greater", (a, b) -> a > b ? 1 : 0);
    ops.put("greater_equal", (a, b) -> a >= b ? 1 : 0);
    ops.forEach((name, op) -> repeat(() -> binary(name, tensors.oneOf(NUMBERS), DType.BOOL, op)));
  }

  @Test
  void unaryFunctionsAgreeWithTheirDefinitions() {
    Map<String, DoubleUnaryOperator> ops = new LinkedHashMap<>();
    ops.put("negative", x -> -x);
    ops.put("abs", Math::abs);
    ops.put("exp", Math::exp);
    ops.put("log", Math::log);
    ops.put("sqrt", Math::sqrt);
    ops.put("rsqrt", x -> 1 / Math.sqrt(x));
    ops.put("tanh", Math::tanh);
    ops.put("sigmoid", x -> 1 / (1 + Math.exp(-x)));
    ops.put("relu", x -> Math.max(x, 0));
    ops.put("gelu", x -> x * (1 + integratedErf(x / Math.sqrt(2))) / 2);
    ops.put("silu", x -> x / (1 + Math.exp(-x)));
    ops.put("erf", ElementwiseKernelsTest::integratedErf);
    ops.put("floor", Math::floor);
    ops.put("ceil", Math::ceil);
    ops.put("round", Math::rint);
    ops.forEach((name, op) -> repeat(() -> unary(name, tensors.oneOf(RandomTensors.FLOATS), op)));
    repeat(() -> unary("negative", tensors.oneOf(RandomTensors.INTEGERS), x -> -x));
    repeat(() -> unary("abs", tensors.oneOf(RandomTensors.INTEGERS), Math::abs));
    repeat(() -> unary("relu", tensors.oneOf(RandomTensors.INTEGERS), x -> Math.max(x, 0)));
    repeat(() -> unary("logical_not", DType.BOOL, x -> 1 - x));
  }

  @Test
  void specialValuesFollowNumpy() {
    double[] a = {NAN, INF, -INF, 0, -1, 1, -1, 2};
    double[] b = {1, INF, 0, NAN, -INF, NAN, 0.5, NAN};
    assertThat(apply("maximum", a, b)).containsExactly(NAN, INF, 0, NAN, -1, NAN, 0.5, NAN);
    assertThat(apply("minimum", a, b)).containsExactly(NAN, INF, -INF, NAN, -INF, NAN, -1, NAN);
    assertThat(apply("power", a, b)).containsExactly(NAN, INF, 1, NAN, 1, 1, NAN, NAN);
    assertThat(apply("divide", new double[] {1, -1, 0}, new double[] {0, 0, 0}))
        .containsExactly(INF, -INF, NAN);
    double[] special = {NAN, INF, -INF, 0};
    assertThat(apply("exp", special)).containsExactly(NAN, INF, 0, 1);
    assertThat(apply("log", special)).containsExactly(NAN, INF, NAN, -INF);
    assertThat(apply("sqrt", special)).containsExactly(NAN, INF, NAN, 0);
    assertThat(apply("tanh", special)).containsExactly(NAN, 1, -1, 0);
    assertThat(apply("sigmoid", special)).containsExactly(NAN, 1, 0, 0.5);
    assertThat(apply("relu", special)).containsExactly(NAN, INF, 0, 0);
    assertThat(apply("gelu", special)).containsExactly(NAN, INF, -0.0, 0);
    assertThat(apply("silu", special)).containsExactly(NAN, INF, -0.0, 0);
    assertThat(apply("erf", special)).containsExactly(NAN, 1, -1, 0);
    assertThat(apply("round", new double[] {0.5, 1.5, -0.5, -2.5})).containsExactly(0, 2, -0.0, -2);
  }

  @Test
  void integersWrapAroundAndDivisionIsTotal() {
    Tensor a = Tensor.of(new long[] {Long.MIN_VALUE, 7, -7, 5, Long.MAX_VALUE}, Shape.of(5));
    Tensor b = Tensor.of(new long[] {-1, -2, 2, 0, 1}, Shape.of(5));
    Tensor out = Tensor.zeros(DType.INT64, Shape.of(5));
    Kernels.call("divide", a, b, out);
    assertThat(out.toLongArray()).containsExactly(Long.MIN_VALUE, -3, -3, 0, Long.MAX_VALUE);
    Kernels.call("add", a, b, out);
    assertThat(out.toLongArray()).containsExactly(Long.MAX_VALUE, 5, -5, 5, Long.MIN_VALUE);
    Tensor bases = Tensor.of(new int[] {3, 2, -1, -1, 1, 2, 0}, Shape.of(7));
    Tensor exponents = Tensor.of(new int[] {4, 33, -3, -2, -9, -1, 0}, Shape.of(7));
    Tensor powers = Tensor.zeros(DType.INT32, Shape.of(7));
    Kernels.call("power", bases, exponents, powers);
    assertThat(powers.toLongArray()).containsExactly(81, 0, -1, 1, 1, 0, 1);
  }

  @Test
  void unsignedLongsAreComparedAndDividedAsSuch() {
    Tensor huge = Tensor.of(new long[] {-1}, Shape.of(1)).reinterpret(Shape.of(1), DType.UINT64);
    Tensor two = Tensor.of(new long[] {2}, Shape.of(1)).reinterpret(Shape.of(1), DType.UINT64);
    Tensor out = Tensor.zeros(DType.UINT64, Shape.of(1));
    Kernels.call("divide", huge, two, out);
    assertThat(out.toLongArray()).containsExactly(Long.MAX_VALUE);
    Kernels.call("maximum", huge, two, out);
    assertThat(out.toLongArray()).containsExactly(-1);
    Tensor less = Tensor.zeros(DType.BOOL, Shape.of(1));
    Kernels.call("less", two, huge, less);
    assertThat(less.toLongArray()).containsExactly(1);
  }

  @Test
  void longsAreOrderedOverTheirWholeRange() {
    long[] ends = {
      Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };
    for (DType dtype : List.of(DType.INT64, DType.UINT64)) {
      Comparator<Long> order = dtype.equals(DType.INT64) ? Long::compare : Long::compareUnsigned;
      int count = ends.length * ends.length;
      long[] a = new long[count];
      long[] b = new long[count];
      for (int i = 0; i < count; i++) {
        a[i] = ends[i / ends.length];
        b[i] = ends[i % ends.length];
      }
      requireOrder("less", dtype, a, b, (x, y) -> order.compare(x, y) < 0 ? 1L : 0);
      requireOrder("less_equal", dtype, a, b, (x, y) -> order.compare(x, y) <= 0 ? 1L : 0);
      requireOrder("greater", dtype, a, b, (x, y) -> order.compare(x, y) > 0 ? 1L : 0);
      requireOrder("greater_equal", dtype, a, b, (x, y) -> order.compare(x, y) >= 0 ? 1L : 0);
      requireOrder("equal", dtype, a, b, (x, y) -> x.equals(y) ? 1L : 0);
      requireOrder("not_equal", dtype, a, b, (x, y) -> x.equals(y) ? 0L : 1);
      requireOrder("maximum", dtype, a, b, (x, y) -> order.compare(x, y) > 0 ? x : y);
      requireOrder("minimum", dtype, a, b, (x, y) -> order.compare(x, y) < 0 ? x : y);
    }
  }

  private static void requireOrder(
      String name, DType dtype, long[] a, long[] b, BinaryOperator<Long> op) {
    Shape shape = Shape.of(a.length);
    boolean truth = !name.startsWith("m");
    Tensor out = Tensor.zeros(truth ? DType.BOOL : dtype, shape);
    Kernels.call(
        name,
        Tensor.of(a, shape).reinterpret(shape, dtype),
        Tensor.of(b, shape).reinterpret(shape, dtype),
        out);
    long[] results = (truth ? out : out.reinterpret(shape, DType.INT64)).toLongArray();
    for (int i = 0; i < a.length; i++) {
      assertThat(results[i])
          .as("%s %s of %d, %d", dtype, name, a[i], b[i])
          .isEqualTo(op.apply(a[i], b[i]));
    }
  }

  @Test
  void theOutputMayBeAnInput() {
    Tensor x = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    Kernels.call("add", x, x, x);
    assertThat(x.toFloatArray()).containsExactly(2, 4, 6);
  }

  @Test
  void manyElementsAreComputedInManyRuns() {
    Shape shape = Shape.of(70, 3001);
    Tensor a = tensors.values(DType.FLOAT32, shape);
    Tensor b = tensors.values(DType.FLOAT32, Shape.of(3001));
    Tensor out = tensors.output(DType.FLOAT32, shape);
    Kernels.call("subtract", a, b, out);
    double[] x = a.toDoubleArray();
    double[] y = b.toDoubleArray();
    Expected.check(out, at -> x[(int) (at[0] * 3001 + at[1])] - y[(int) at[1]]);
  }

  @Test
  void oneElementIsCombinedWithMany() {
    Shape shape = Shape.of(3, 20001);
    Tensor many = tensors.values(DType.FLOAT32, shape);
    Tensor one = tensors.values(DType.FLOAT32, Shape.of(3, 1));
    Tensor out = tensors.output(DType.FLOAT32, shape);
    double[] x = many.toDoubleArray();
    double[] y = one.toDoubleArray();
    Kernels.call("subtract", many, one, out);
    Expected.check(out, at -> x[(int) (at[0] * 20001 + at[1])] - y[(int) at[0]]);
    Kernels.call("subtract", one, many, out);
    Expected.check(out, at -> y[(int) at[0]] - x[(int) (at[0] * 20001 + at[1])]);
    Kernels.call("maximum", one, many, out);
    Expected.check(out, at -> Math.max(x[(int) (at[0] * 20001 + at[1])], y[(int) at[0]]));
  }

  private void repeat(Runnable check) {
    for (int i = 0; i < ROUNDS; i++) {
      check.run();
    }
  }

  private void binary(String name, DType dtype, DoubleBinaryOperator op) {
    binary(name, dtype, dtype, op);
  }

  private void binary(String name, DType dtype, DType result, DoubleBinaryOperator op) {
    Shape shape = tensors.shape(random.nextInt(5), 5);
    Tensor a = tensors.values(dtype, shape);
    Tensor b = tensors.values(dtype, tensors.broadcastable(shape));
    Tensor out = tensors.output(result, shape);
    boolean swap = random.nextBoolean();
    Kernels.call(name, swap ? b : a, swap ? a : b, out);
    double[] x = a.toDoubleArray();
    double[] y = b.toDoubleArray();
    Expected.check(
        out,
        at -> {
          double left = Expected.element(x, a.shape(), at);
          double right = Expected.element(y, b.shape(), at);
          return swap ? op.applyAsDouble(right, left) : op.applyAsDouble(left, right);
        });
  }

  private void unary(String name, DType dtype, DoubleUnaryOperator op) {
    Shape shape = tensors.shape(random.nextInt(5), 5);
    Tensor x = tensors.values(dtype, tensors.broadcastable(shape));
    Tensor out = tensors.output(dtype, shape);
    Kernels.call(name, x, out);
    double[] values = x.toDoubleArray();
    Expected.check(out, at -> op.applyAsDouble(Expected.element(values, x.shape(), at)));
  }

  private static double[] apply(String name, double[]... inputs) {
    Shape shape = Shape.of(inputs[0].length);
    Tensor out = Tensor.zeros(DType.FLOAT64, shape);
    Object[] args = new Object[inputs.length + 1];
    for (int i = 0; i < inputs.length; i++) {
      args[i] = Tensor.of(inputs[i], shape);
    }
    args[inputs.length] = out;
    Kernels.call(name, args);
    return out.toDoubleArray();
  }

  /** The error function by Simpson's rule over its definition. */
  private static double integratedErf(double x) {
    int steps = 2000;
    double h = x / steps;
    double sum = 1 + Math.exp(-x * x);
    for (int i = 1; i < steps; i++) {
      sum += (i % 2 == 0 ? 2 : 4) * Math.exp(-h * i * h * i);
    }
    return 2 / Math.sqrt(Math.PI) * sum * h / 3;
  }
}
