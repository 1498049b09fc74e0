package org.relaxvm.interoponnx.operator.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.random;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Transforms of signals beside sums of their definition. */
class SignalOperatorsTest {
  /** Pairs of real and imaginary parts. */
  private static double[] plain(double[] pairs, int count, boolean inverse) {
    double[] result = new double[2 * count];
    for (int k = 0; k < count; k++) {
      for (int j = 0; j < Math.min(count, pairs.length / 2); j++) {
        double angle = 2 * Math.PI * ((long) j * k % count) / count * (inverse ? 1 : -1);
        double real = pairs[2 * j];
        double imaginary = pairs[2 * j + 1];
        result[2 * k] += real * Math.cos(angle) - imaginary * Math.sin(angle);
        result[2 * k + 1] += real * Math.sin(angle) + imaginary * Math.cos(angle);
      }
      result[2 * k] /= inverse ? count : 1;
      result[2 * k + 1] /= inverse ? count : 1;
    }
    return result;
  }

  private static double[] wide(float[] values) {
    double[] result = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = values[i];
    }
    return result;
  }

  /** Direct, by divisors, and by a divisor and a prime number. */
  @ParameterizedTest
  @CsvSource({"7, false", "7, true", "1030, false", "2062, true"})
  void complexSignals(int count, boolean inverse) {
    float[] signal = random(count, 2 * count);
    double[] y =
        OperatorRun.of("DFT", 20)
            .input(Tensor.of(signal, Shape.of(1, count, 2)))
            .with("inverse", inverse ? 1 : 0)
            .numbers();
    assertThat(y).containsExactly(plain(wide(signal), count, inverse), within(2e-4));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 6, 7, 12})
  void lengthsThatAreKnownAtRunTime(int length) {
    float[] signal = random(1, 14);
    double[] y =
        OperatorRun.of("DFT", 17)
            .input(Tensor.of(signal, Shape.of(1, 7, 2)), 1, "n", 2)
            .input(Tensor.scalar((long) length))
            .with("axis", 1)
            .numbers();
    assertThat(y).containsExactly(plain(wide(signal), length, false), within(1e-5));
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 7})
  void halfOfASpectrumGivesARealSignal(int count) {
    float[] signal = random(3, count);
    Tensor half =
        OperatorRun.of("DFT", 20)
            .input(Tensor.of(signal, Shape.of(1, count, 1)))
            .with("onesided", 1)
            .run();
    assertThat(half.shape()).isEqualTo(Shape.of(1, count / 2 + 1, 2));
    Tensor back =
        OperatorRun.of("DFT", 20)
            .input(half)
            .constant(Tensor.scalar((long) count))
            .with("onesided", 1)
            .with("inverse", 1)
            .run();
    assertThat(back.shape()).isEqualTo(Shape.of(1, count, 1));
    assertThat(back.toDoubleArray()).containsExactly(wide(signal), within(1e-6));
  }

  @Test
  void anAxisInTheMiddle() {
    float[] signal = random(5, 2 * 3 * 2);
    Tensor y =
        OperatorRun.of("DFT", 20)
            .input(Tensor.of(signal, Shape.of(3, 2, 2)))
            .absent()
            .constant(Tensor.scalar(0L))
            .run();
    double[] actual = y.toDoubleArray();
    for (int column = 0; column < 2; column++) {
      double[] pairs = new double[6];
      double[] own = new double[6];
      for (int i = 0; i < 6; i++) {
        pairs[i] = signal[(i / 2 * 2 + column) * 2 + i % 2];
        own[i] = actual[(i / 2 * 2 + column) * 2 + i % 2];
      }
      assertThat(own).containsExactly(plain(pairs, 3, false), within(1e-6));
    }
  }

  @Test
  void partsOfASignalInAWindow() {
    float[] signal = random(6, 11);
    float[] window = {0.5f, 1, 1, 0.25f};
    Tensor y =
        OperatorRun.of("STFT", 17)
            .input(Tensor.of(signal, Shape.of(1, 11, 1)), 1, "n", 1)
            .constant(Tensor.scalar(3L))
            .constant(Tensor.of(window, Shape.of(4)))
            .with("onesided", 0)
            .run();
    assertThat(y.shape()).isEqualTo(Shape.of(1, 3, 4, 2));
    double[] actual = y.toDoubleArray();
    for (int frame = 0; frame < 3; frame++) {
      double[] pairs = new double[8];
      for (int i = 0; i < 4; i++) {
        pairs[2 * i] = (double) signal[3 * frame + i] * window[i];
      }
      double[] own = Arrays.copyOfRange(actual, 8 * frame, 8 * frame + 8);
      assertThat(own).containsExactly(plain(pairs, 4, false), within(1e-6));
    }
  }

  @Test
  void realTransformsOfOnnxRuntime() {
    float[] signal = random(7, 8);
    Tensor half = OperatorRun.microsoft("Rfft").input(Tensor.of(signal, Shape.of(1, 8))).run();
    assertThat(half.shape()).isEqualTo(Shape.of(1, 5, 2));
    double[] pairs = new double[16];
    for (int i = 0; i < 8; i++) {
      pairs[2 * i] = signal[i];
    }
    double[] expected = Arrays.copyOf(plain(pairs, 8, false), 10);
    assertThat(half.toDoubleArray()).containsExactly(expected, within(1e-6));
    Tensor back = OperatorRun.microsoft("Irfft").input(half).with("signal_ndim", 1).run();
    assertThat(back.toDoubleArray()).containsExactly(wide(signal), within(1e-6));
  }

  @Test
  void theAxisOfThePartsHasNoTransform() {
    String message =
        OperatorRun.of("DFT", 20)
            .input(Tensor.of(random(1, 4), Shape.of(1, 2, 2)))
            .absent()
            .constant(Tensor.scalar(-1L))
            .model(1)
            .check(OnnxOptions.DEFAULT)
            .message();
    assertThat(message).contains("the last axis holds the parts of numbers: it has no transform");
    assertThat(List.of(message.split("\n", -1))).hasSizeGreaterThan(1);
  }
}
