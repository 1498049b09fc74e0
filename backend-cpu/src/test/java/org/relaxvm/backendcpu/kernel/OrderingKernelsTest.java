package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class OrderingKernelsTest {
  private static final float NAN = Float.NaN;
  private static final float INF = Float.POSITIVE_INFINITY;
  private static final float[] SPECIAL = {0f, NAN, -INF, -0f, INF, NAN, 1f, -1f};

  private static final List<DType> NUMBERS =
      Stream.concat(RandomTensors.FLOATS.stream(), RandomTensors.INTEGERS.stream()).toList();

  private final Random random = Kernels.random(OrderingKernelsTest.class);

  @Test
  void nanIsTheLargestAndZerosAreEqual() {
    assertThat(sorted("sort", false)).containsExactly(-INF, -1f, 0f, -0f, 1f, INF, NAN, NAN);
    assertThat(sorted("sort", true)).containsExactly(NAN, NAN, INF, 1f, 0f, -0f, -1f, -INF);
    assertThat(order("argsort", 8, false)).containsExactly(2, 7, 0, 3, 6, 4, 1, 5);
    assertThat(order("argsort", 8, true)).containsExactly(1, 5, 4, 6, 0, 3, 7, 2);
    assertThat(order("topk_indices", 1, true)).containsExactly(1);
    assertThat(order("topk_indices", 5, true)).containsExactly(1, 5, 4, 6, 0);
    assertThat(order("topk_indices", 1, false)).containsExactly(2);
    assertThat(order("topk_indices", 0, false)).isEmpty();
  }

  private static float[] sorted(String name, boolean descending) {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(8));
    Kernels.call(name, Tensor.of(SPECIAL, Shape.of(8)), 0, descending, out);
    return out.toFloatArray();
  }

  private static int[] order(String name, int count, boolean flag) {
    Tensor out = Tensor.zeros(DType.INT32, Shape.of(count));
    Kernels.call(name, Tensor.of(SPECIAL, Shape.of(8)), -1, flag, out);
    return ints(out);
  }

  private static int[] ints(Tensor tensor) {
    return DoubleStream.of(tensor.toDoubleArray()).mapToInt(value -> (int) value).toArray();
  }

  @Test
  void theFirstOfEqualsWinsAndNanWinsOverAll() {
    assertThat(extreme("argmax", 3, 7, 7, 1)).isEqualTo(1);
    assertThat(extreme("argmin", 3, 1, 7, 1)).isEqualTo(1);
    assertThat(extreme("argmax", 0f, -0f)).isZero();
    assertThat(extreme("argmin", 0f, -0f)).isZero();
    assertThat(extreme("argmax", 3, INF, NAN, NAN)).isEqualTo(2);
    assertThat(extreme("argmin", 3, -INF, NAN, NAN)).isEqualTo(2);
    assertThat(extreme("argmax", -INF, -INF)).isZero();
    assertThat(extreme("argmin", NAN)).isZero();
  }

  @Test
  void extremesAreFoundInLinesAndRowsOfAnyLength() {
    RandomTensors tensors = new RandomTensors(random);
    for (DType dtype : NUMBERS) {
      for (int i = 0; i < 30; i++) {
        int length = 1 + random.nextInt(i < 26 ? 70 : 3000);
        int lines = 1 + random.nextInt(i < 26 ? 70 : 3);
        int axis = random.nextInt(2);
        Shape shape = axis == 1 ? Shape.of(lines, length) : Shape.of(length, lines);
        checkExtremes(tensors.values(dtype, shape), axis);
      }
    }
  }

  @Test
  void notANumberAndInfinitiesAreFoundWhereverTheyAre() {
    for (int i = 0; i < 200; i++) {
      int length = 1 + random.nextInt(2000);
      float[] values = new float[2 * length];
      for (int j = 0; j < 8; j++) {
        values[random.nextInt(values.length)] = SPECIAL[random.nextInt(i < 100 ? 8 : 1)];
        values[random.nextInt(values.length)] = random.nextBoolean() ? INF : -INF;
      }
      checkExtremes(Tensor.of(values, Shape.of(2, length)), 1);
      checkExtremes(Tensor.of(values, Shape.of(2, length)), 0);
      checkExtremes(Tensor.of(values, Shape.of(length, 2)), 0);
      checkExtremes(Tensor.of(values, Shape.of(1, values.length)).permute(1, 0), 0);
    }
  }

  private static void checkExtremes(Tensor x, int axis) {
    int lines = (int) x.shape().dim(1 - axis);
    int length = (int) x.shape().dim(axis);
    double[] values = x.toDoubleArray();
    for (boolean largest : new boolean[] {true, false}) {
      Tensor out = Tensor.zeros(DType.INT64, Shape.of(lines));
      Kernels.call(largest ? "argmax" : "argmin", x, axis, false, out);
      long[] expected = new long[lines];
      for (int line = 0; line < lines; line++) {
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < length; i++) {
          double value = values[axis == 1 ? line * length + i : i * lines + line];
          double signed = largest ? value : -value;
          if (i == 0 || signed > most || (Double.isNaN(value) && !Double.isNaN(most))) {
            most = signed;
            expected[line] = i;
          }
        }
      }
      assertThat(out.toLongArray()).as("%s along %d", x, axis).containsExactly(expected);
    }
  }

  @Test
  void scansOfAnyLengthAreTheSameInLinesAndRows() {
    RandomTensors tensors = new RandomTensors(random);
    for (DType dtype : NUMBERS) {
      for (int i = 0; i < 30; i++) {
        boolean product = i % 2 == 0;
        int length = random.nextInt(product ? 6 : i < 26 ? 70 : 3000);
        int lines = 1 + random.nextInt(i < 26 ? 300 : 3);
        boolean exclusive = random.nextBoolean();
        Tensor x = tensors.values(dtype, Shape.of(length, lines));
        for (Tensor each : List.of(x, x.permute(1, 0))) {
          Tensor out = tensors.output(dtype, each.shape());
          int axis = each == x ? 0 : 1;
          Kernels.call(product ? "cumprod" : "cumsum", each, axis, exclusive, out);
          double[] expected = scanned(each, axis, product, exclusive);
          Expected.check(out, at -> Expected.element(expected, each.shape(), at));
        }
      }
    }
  }

  private static double[] scanned(Tensor x, int axis, boolean product, boolean exclusive) {
    double[] values = x.toDoubleArray();
    int lines = (int) x.shape().dim(1 - axis);
    int length = (int) x.shape().dim(axis);
    for (int line = 0; line < lines; line++) {
      double all = product ? 1 : 0;
      for (int i = 0; i < length; i++) {
        int place = axis == 1 ? line * length + i : i * lines + line;
        double before = all;
        all = product ? all * values[place] : all + values[place];
        values[place] = exclusive ? before : all;
      }
    }
    return values;
  }

  private static long extreme(String name, float... values) {
    Tensor out = Tensor.zeros(DType.INT64, Shape.of());
    Kernels.call(name, Tensor.of(values, Shape.of(values.length)), null, false, out);
    return out.toLongArray()[0];
  }

  @Test
  void integersOf64BitsKeepTheirOrder() {
    long[] values = {5, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0};
    Tensor order = Tensor.zeros(DType.INT32, Shape.of(5));
    Kernels.call("argsort", Tensor.of(values, Shape.of(5)), 0, false, order);
    assertThat(ints(order)).containsExactly(2, 1, 4, 0, 3);
    Tensor unsigned = Tensor.zeros(DType.UINT64, Shape.of(5));
    unsigned.segment().copyFrom(Tensor.of(values, Shape.of(5)).segment());
    Kernels.call("argsort", unsigned, 0, false, order);
    assertThat(ints(order)).containsExactly(4, 0, 3, 2, 1);
    Kernels.call("argsort", unsigned, 0, true, order);
    assertThat(ints(order)).containsExactly(1, 2, 3, 0, 4);
  }

  @Test
  void longLinesOfFewDifferentValuesStayStable() {
    for (int length : List.of(1, 15, 16, 17, 33, 1000, 5000)) {
      int[] values = random.ints(length, 0, 50).toArray();
      Tensor x = Tensor.of(values, Shape.of(length));
      Comparator<Integer> ascending = Comparator.comparing(i -> values[i]);
      Comparator<Integer> descending = Comparator.comparing(i -> -values[i]);
      Tensor out = Tensor.zeros(DType.INT32, Shape.of(length));
      Kernels.call("argsort", x, 0, false, out);
      assertThat(ints(out)).isEqualTo(order(length, ascending));
      Kernels.call("argsort", x, 0, true, out);
      assertThat(ints(out)).isEqualTo(order(length, descending));
      int few = length / 20;
      Tensor best = Tensor.zeros(DType.INT32, Shape.of(few));
      Kernels.call("topk_indices", x, 0, true, best);
      assertThat(ints(best)).isEqualTo(Arrays.copyOf(order(length, descending), few));
    }
  }

  private static int[] order(int length, Comparator<Integer> comparator) {
    return IntStream.range(0, length)
        .boxed()
        .sorted(comparator)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Test
  void scansGoOnOverLongLinesAndWrapAround() {
    int length = 3000;
    Tensor ones = Tensor.zeros(DType.FLOAT16, Shape.of(length));
    Kernels.call("full", 0.5, ones);
    Tensor sums = Tensor.zeros(DType.FLOAT16, Shape.of(length));
    Kernels.call("cumsum", ones, 0, false, sums);
    // A sum in float16 itself would stop at 1024.
    assertThat(sums.toDoubleArray()[length - 1]).isEqualTo(1500);
    Tensor bytes = Tensor.zeros(DType.INT8, Shape.of(4));
    Kernels.call("full", 100, bytes);
    Tensor out = Tensor.zeros(DType.INT8, Shape.of(4));
    Kernels.call("cumsum", bytes, 0, false, out);
    assertThat(out.toDoubleArray()).containsExactly(100, -56, 44, -112);
    Kernels.call("cumprod", bytes, 0, true, out);
    assertThat(out.toDoubleArray()).containsExactly(1, 100, 16, 64);
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));
    Tensor indices = Tensor.zeros(DType.INT32, Shape.of(2, 4));
    Tensor scalar = Tensor.zeros(DType.FLOAT32, Shape.of());
    refuses(
        "relaxvm.sort: argument #0 'x' must be a tensor of rank 1 or more but is shape []",
        "sort",
        scalar,
        0,
        false,
        scalar);
    refuses(
        "relaxvm.sort: argument #1 'axis' must be an axis from -2 to 1 but is -3",
        "sort",
        x,
        -3,
        false,
        x);
    refuses(
        "relaxvm.argsort: argument #3 'out' must be shape [2, 3] but is shape [2, 4]",
        "argsort",
        x,
        1,
        false,
        indices);
    refuses(
        "relaxvm.topk_indices: argument #3 'out' must be shape [2, 3] with 0 to 3 at axis 1 but is"
            + " shape [2, 4]",
        "topk_indices",
        x,
        1,
        true,
        indices);
    refuses(
        "relaxvm.argmax: argument #3 'out' must be shape [2, 1] but is shape [2, 4]",
        "argmax",
        x,
        1,
        true,
        indices);
    refuses(
        "relaxvm.argmin: argument #0 'x' must be not empty along the reduced axes but is shape [0]",
        "argmin",
        Tensor.zeros(DType.FLOAT32, Shape.of(0)),
        null,
        false,
        Tensor.zeros(DType.INT64, Shape.of()));
    refuses(
        "relaxvm.cumsum: argument #3 'out' must be shape [6] but is shape [2, 3]",
        "cumsum",
        x,
        null,
        false,
        x);
    refuses(
        "relaxvm.argmax: argument #1 'axis' must be an int or null but is float",
        "argmax",
        x,
        1.5,
        true,
        indices);
  }

  private static void refuses(String message, String name, @Nullable Object... args) {
    assertThatThrownBy(() -> Kernels.call(name, args))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
  }
}
