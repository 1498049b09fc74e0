package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class ReductionKernelsTest {
  private final Random random = Kernels.random(ReductionKernelsTest.class);
  private final RandomTensors tensors = new RandomTensors(random);

  private static final List<DType> NUMBERS =
      Stream.concat(RandomTensors.FLOATS.stream(), RandomTensors.INTEGERS.stream()).toList();

  private record Fold(double identity, DoubleBinaryOperator op) {}

  private static final Map<String, Fold> FOLDS = folds();

  private static Map<String, Fold> folds() {
    Map<String, Fold> folds = new LinkedHashMap<>();
    folds.put("sum", new Fold(0, Double::sum));
    folds.put("mean", new Fold(0, Double::sum));
    folds.put("prod", new Fold(1, (a, b) -> a * b));
    folds.put("max", new Fold(Double.NEGATIVE_INFINITY, Math::max));
    folds.put("min", new Fold(Double.POSITIVE_INFINITY, Math::min));
    return folds;
  }

  @Test
  void anyAxesOfAnyStridesAreReduced() {
    for (String name : FOLDS.keySet()) {
      for (int i = 0; i < 150; i++) {
        boolean mean = name.equals("mean");
        // Products of few elements: the reference is exact then.
        int rank = name.equals("prod") ? random.nextInt(3) : random.nextInt(5);
        Shape shape = tensors.shape(rank, 4);
        if (shape.elementCount() == 0 && (name.equals("max") || name.equals("min"))) {
          continue;
        }
        check(name, tensors.oneOf(mean ? RandomTensors.FLOATS : NUMBERS), shape);
      }
    }
  }

  @Test
  void longAxesAreReducedInBothDirections() {
    for (String name : List.of("sum", "mean", "max", "min")) {
      check(name, DType.FLOAT32, Shape.of(1300, 5));
      check(name, DType.FLOAT32, Shape.of(5, 1300));
      check(name, DType.FLOAT64, Shape.of(3, 40, 700));
    }
  }

  @Test
  void nothingIsReducedToTheIdentity() {
    Tensor nothing = Tensor.zeros(DType.FLOAT32, Shape.of(2, 0));
    Tensor out = Tensor.of(new float[] {9, 9}, Shape.of(2));
    Kernels.call("sum", nothing, Shape.of(1), false, out);
    assertThat(out.toFloatArray()).containsExactly(0, 0);
    Kernels.call("prod", nothing, Shape.of(1), false, out);
    assertThat(out.toFloatArray()).containsExactly(1, 1);
    Kernels.call("mean", nothing, Shape.of(1), false, out);
    assertThat(out.toFloatArray()).containsExactly(Float.NaN, Float.NaN);
  }

  @Test
  void notANumberWinsMaximaAndMinima() {
    Tensor x = Tensor.of(new float[] {1, Float.NaN, 3}, Shape.of(3));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.scalar());
    Kernels.call("max", x, null, false, out);
    assertThat(out.toFloatArray()).containsExactly(Float.NaN);
    Kernels.call("min", x, Shape.of(-1), false, out);
    assertThat(out.toFloatArray()).containsExactly(Float.NaN);
  }

  @Test
  void theSumOfManyFloatsDoesNotDrift() {
    int count = 1 << 20;
    float[] tenths = new float[count];
    Arrays.fill(tenths, 0.1f);
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.scalar());
    Kernels.call("sum", Tensor.of(tenths, Shape.of(count)), null, false, out);
    assertThat(out.toFloatArray()).containsExactly((float) (0.1f * (double) count));
  }

  @Test
  void veryLongLinesAndManyRowsAreReduced() {
    for (String name : List.of("sum", "mean", "max", "min")) {
      check(name, DType.FLOAT32, Shape.of(3, 9001));
      check(name, DType.FLOAT32, Shape.of(9001, 37));
      check(name, DType.FLOAT32, Shape.of(2, 300, 1100));
      check(name, DType.FLOAT32, Shape.of(131_099));
      check(name, DType.FLOAT16, Shape.of(2, 9001));
    }
  }

  @Test
  void notANumberIsFoundWhereverItIs() {
    int rows = 70;
    int columns = 1031;
    float[] values = new float[rows * columns];
    for (String name : List.of("sum", "mean", "max", "min")) {
      for (int i = 0; i < 100; i++) {
        int row = random.nextInt(rows);
        int column = random.nextInt(columns);
        values[row * columns + column] = Float.NaN;
        Tensor x = Tensor.of(values, Shape.of(rows, columns));
        notANumberAt(name, x, Shape.of(1), rows, row);
        notANumberAt(name, x, Shape.of(0), columns, column);
        notANumberAt(name, x, Shape.of(0, 1), 1, 0);
        values[row * columns + column] = 0;
      }
    }
  }

  private static void notANumberAt(String name, Tensor x, Shape axes, int count, int at) {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(count));
    Tensor result = axes.rank() == 2 ? out.reshape(Shape.scalar()) : out;
    Kernels.call(name, x, axes, false, result);
    float[] expected = new float[count];
    expected[at] = Float.NaN;
    assertThat(result.toFloatArray()).as("%s over %s", name, axes).containsExactly(expected);
  }

  @Test
  void linesAndRowsOfEveryLengthAreReducedInEveryDtype() {
    for (String name : FOLDS.keySet()) {
      for (int length = 1; length < 150; length += length < 40 ? 1 : 1 + random.nextInt(9)) {
        DType dtype = tensors.oneOf(name.equals("mean") ? RandomTensors.FLOATS : NUMBERS);
        // Products of many quarters lose bits.
        int folded = name.equals("prod") ? 1 + random.nextInt(5) : length;
        for (DType each : List.of(dtype, DType.FLOAT32)) {
          check(name, each, Shape.of(3, folded), Shape.of(1));
          check(name, each, Shape.of(folded, length), Shape.of(0));
          check(name, each, Shape.of(2, 3, folded), Shape.of(0, 2));
        }
      }
    }
  }

  @Test
  void infinitiesOfBothSignsAreNoNotANumber() {
    float[] values = new float[200];
    for (int i = 0; i < 100; i++) {
      Arrays.fill(values, -1);
      values[random.nextInt(100)] = Float.POSITIVE_INFINITY;
      values[100 + random.nextInt(100)] = Float.NEGATIVE_INFINITY;
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.scalar());
      Kernels.call("max", Tensor.of(values, Shape.of(200)), null, false, out);
      assertThat(out.toFloatArray()).containsExactly(Float.POSITIVE_INFINITY);
      Kernels.call("min", Tensor.of(values, Shape.of(200)), null, false, out);
      assertThat(out.toFloatArray()).containsExactly(Float.NEGATIVE_INFINITY);
      Tensor columns = Tensor.zeros(DType.FLOAT32, Shape.of(100));
      Kernels.call("max", Tensor.of(values, Shape.of(2, 100)), Shape.of(0), false, columns);
      assertThat(columns.toDoubleArray()).doesNotContain(Double.NaN);
    }
  }

  @Test
  void extremesOfUnsignedIntegersAreUnsigned() {
    long[] values = {1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 7, -5};
    Tensor x = Tensor.of(values, Shape.of(6)).reinterpret(Shape.of(2, 3), DType.UINT64);
    Tensor out = Tensor.zeros(DType.UINT64, Shape.of(2));
    Kernels.call("max", x, Shape.of(1), false, out);
    assertThat(bits(out)).containsExactly(-1, -5);
    Kernels.call("min", x, Shape.of(1), false, out);
    assertThat(bits(out)).containsExactly(1, 7);
    Tensor columns = Tensor.zeros(DType.UINT64, Shape.of(3));
    Kernels.call("max", x, Shape.of(0), false, columns);
    assertThat(bits(columns)).containsExactly(Long.MIN_VALUE, -1, -5);
    Kernels.call("min", x, Shape.of(0), false, columns);
    assertThat(bits(columns)).containsExactly(1, 7, Long.MAX_VALUE);
  }

  private static long[] bits(Tensor x) {
    return x.segment().toArray(ValueLayout.JAVA_LONG_UNALIGNED);
  }

  @Test
  void theOrderOfAxesDoesNotMatterToSums() {
    Tensor x = tensors.values(DType.FLOAT32, Shape.of(7, 30, 11, 13));
    double sum = Arrays.stream(x.toDoubleArray()).sum();
    for (int i = 0; i < 24; i++) {
      Tensor permuted = x.permute(tensors.permutation(4));
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.scalar());
      Kernels.call("sum", permuted, null, false, out);
      assertThat(out.toDoubleArray()).containsExactly(sum);
    }
  }

  @Test
  void sumsOfAMillionTenthsAreAccurateInEachDirection() {
    int count = 1_000_000;
    float[] tenths = new float[count];
    for (int i = 0; i < count; i++) {
      tenths[i] = 0.1f + i % 1000 * 1e-6f;
    }
    double exact = 0;
    for (float tenth : tenths) {
      exact += tenth;
    }
    Tensor line = Tensor.of(tenths, Shape.of(count));
    Tensor all = Tensor.zeros(DType.FLOAT32, Shape.scalar());
    Kernels.call("sum", line, null, false, all);
    assertThat((double) all.toFloatArray()[0]).isCloseTo(exact, withinPercentage(1e-4));
    Tensor columns = Tensor.zeros(DType.FLOAT32, Shape.of(20));
    Kernels.call("sum", Tensor.of(tenths, Shape.of(count / 20, 20)), Shape.of(0), false, columns);
    for (int i = 0; i < 20; i++) {
      exact = 0;
      for (int j = i; j < count; j += 20) {
        exact += tenths[j];
      }
      assertThat((double) columns.toFloatArray()[i]).isCloseTo(exact, withinPercentage(1e-4));
    }
  }

  private void check(String name, DType dtype, Shape shape) {
    boolean[] reduced = new boolean[shape.rank()];
    check(name, dtype, shape, axes(reduced), reduced);
  }

  private void check(String name, DType dtype, Shape shape, Shape axes) {
    boolean[] reduced = new boolean[shape.rank()];
    for (long axis : axes.toArray()) {
      reduced[(int) axis] = true;
    }
    check(name, dtype, shape, axes, reduced);
  }

  private void check(
      String name, DType dtype, Shape shape, @Nullable Shape axes, boolean[] reduced) {
    boolean keep = random.nextBoolean();
    long[] dims = new long[shape.rank()];
    int rank = 0;
    long each = 1;
    for (int axis = 0; axis < reduced.length; axis++) {
      each *= reduced[axis] ? shape.dim(axis) : 1;
      if (!reduced[axis] || keep) {
        dims[rank++] = reduced[axis] ? 1 : shape.dim(axis);
      }
    }
    Tensor x = tensors.values(dtype, shape);
    Tensor out = tensors.output(dtype, Shape.of(Arrays.copyOf(dims, rank)));
    Kernels.call(name, x, axes, keep, out);
    double[] sums = new double[(int) out.elementCount()];
    Fold fold = Objects.requireNonNull(FOLDS.get(name));
    Arrays.fill(sums, fold.identity());
    double[] values = x.toDoubleArray();
    for (int i = 0; i < values.length; i++) {
      int target = target(Expected.indexOf(i, shape), shape, reduced);
      sums[target] = fold.op().applyAsDouble(sums[target], values[i]);
    }
    double divisor = name.equals("mean") ? each : 1;
    Expected.check(out, at -> sums[number(at, out.shape())] / divisor);
  }

  private @Nullable Shape axes(boolean[] reduced) {
    if (random.nextInt(4) == 0) {
      Arrays.fill(reduced, true);
      return null;
    }
    int[] order = tensors.permutation(reduced.length);
    int count = random.nextInt(reduced.length + 1);
    long[] axes = new long[count];
    for (int i = 0; i < count; i++) {
      reduced[order[i]] = true;
      axes[i] = random.nextBoolean() ? order[i] : order[i] - reduced.length;
    }
    return Shape.of(axes);
  }

  private static int target(long[] index, Shape shape, boolean[] reduced) {
    long number = 0;
    for (int axis = 0; axis < index.length; axis++) {
      number = reduced[axis] ? number : number * shape.dim(axis) + index[axis];
    }
    return (int) number;
  }

  private static int number(long[] index, Shape shape) {
    return target(index, shape, new boolean[index.length]);
  }
}
