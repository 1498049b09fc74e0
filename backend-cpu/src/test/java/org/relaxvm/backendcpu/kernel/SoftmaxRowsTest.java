package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Rows of neighbouring float32 elements, which are computed several at once. */
class SoftmaxRowsTest {
  private static final float NAN = Float.NaN;
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  private final Random random = Kernels.random(SoftmaxRowsTest.class);

  @Test
  void rowsOfAnyLengthEqualTheDefinition() {
    for (int length = 1; length < 140; length++) {
      float[] x = elements(3 * length);
      Shape shape = Shape.of(3, length);
      Tensor out = Tensor.zeros(DType.FLOAT32, shape);
      out.fill(NAN);
      Kernels.call("softmax", Tensor.of(x, shape), 1, out);
      check(out.toFloatArray(), x, length, false);
      out.fill(NAN);
      Kernels.call("log_softmax", Tensor.of(x, shape), 1, out);
      check(out.toFloatArray(), x, length, true);
    }
  }

  @Test
  void resultsMayTakeThePlacesOfTheElements() {
    for (int length : new int[] {1, 15, 16, 33, 128, 1001}) {
      float[] x = elements(5 * length);
      for (boolean logarithm : new boolean[] {false, true}) {
        Tensor tensor = Tensor.of(x, Shape.of(5, length));
        Kernels.call(logarithm ? "log_softmax" : "softmax", tensor, 1, tensor);
        check(tensor.toFloatArray(), x, length, logarithm);
      }
    }
  }

  @Test
  void nothingBetweenRowsIsWritten() {
    float[] x = elements(4 * 50);
    float[] rows = new float[4 * 37];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = x[i / 37 * 50 + i % 37];
    }
    for (boolean logarithm : new boolean[] {false, true}) {
      Tensor block = Tensor.of(x, Shape.of(4, 50));
      Tensor view = block.stridedView(Shape.of(4, 37), new long[] {50, 1}, 0);
      Kernels.call(logarithm ? "log_softmax" : "softmax", view, 1, view);
      check(view.toFloatArray(), rows, 37, logarithm);
      float[] after = block.toFloatArray();
      for (int i = 0; i < after.length; i++) {
        if (i % 50 >= 37) {
          assertThat(after[i]).isEqualTo(x[i]);
        }
      }
    }
  }

  @Test
  void rowsInJavaArraysEqualTheDefinition() {
    float[] x = elements(3 * 100);
    for (boolean logarithm : new boolean[] {false, true}) {
      float[] out = new float[x.length];
      Kernels.call(logarithm ? "log_softmax" : "softmax", wrap(x.clone()), 1, wrap(out));
      check(out, x, 100, logarithm);
    }
  }

  @Test
  void elementsThatAreNoNumbersStayInTheirRow() {
    for (int length : new int[] {16, 21, 64}) {
      float[] x = elements(6 * length);
      x[length + length / 2] = NAN;
      x[2 * length - 1] = -1000;
      x[3 * length - 1] = INFINITY;
      Arrays.fill(x, 3 * length, 4 * length, -INFINITY);
      x[4 * length + 3] = -INFINITY;
      x[5 * length - 1] = -Float.MAX_VALUE;
      for (boolean logarithm : new boolean[] {false, true}) {
        Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(6, length));
        Kernels.call(
            logarithm ? "log_softmax" : "softmax", Tensor.of(x, Shape.of(6, length)), 1, out);
        check(out.toFloatArray(), x, length, logarithm);
      }
    }
  }

  private float[] elements(int count) {
    float[] x = new float[count];
    for (int i = 0; i < count; i++) {
      x[i] = (float) (3 * random.nextGaussian()) + i / 50;
    }
    return x;
  }

  private static Tensor wrap(float[] x) {
    return Tensor.wrap(MemorySegment.ofArray(x), DType.FLOAT32, Shape.of(x.length / 100, 100));
  }

  private static void check(float[] actual, float[] x, int length, boolean logarithm) {
    for (int from = 0; from < x.length; from += length) {
      double largest = Double.NEGATIVE_INFINITY;
      for (int i = from; i < from + length; i++) {
        largest = Math.max(largest, x[i]);
      }
      double sum = 0;
      for (int i = from; i < from + length; i++) {
        sum += Math.exp(x[i] - largest);
      }
      for (int i = from; i < from + length; i++) {
        double wanted = x[i] - largest - Math.log(sum);
        wanted = logarithm ? wanted : Math.exp(wanted);
        // The difference is rounded, and what is below the normal range may be 0.
        double rounding = 1e-6 + Math.abs(x[i] - largest) * 0x1p-23;
        double near = Float.MIN_NORMAL + rounding * (logarithm ? 1 : wanted);
        boolean same = Double.compare(actual[i], wanted) == 0;
        if (!same && !(Math.abs(actual[i] - wanted) <= near)) {
          assertThat((double) actual[i])
              .as("element %d of rows of %d", i, length)
              .isEqualTo(wanted);
        }
      }
    }
  }
}
