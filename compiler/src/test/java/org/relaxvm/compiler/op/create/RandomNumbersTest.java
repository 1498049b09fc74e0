package org.relaxvm.compiler.op.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.ShapeExpr;

class RandomNumbersTest {
  private static final ShapeExpr MANY = ShapeExpr.of(50, 200);

  private static double[] numbers(Call call) {
    return compute(call).getFirst().toDoubleArray();
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(RandomNumbers.uniform(MANY, DType.FLOAT16, 1, 0, 1)))
        .isEqualTo("R.Tensor((50, 200), dtype=\"float16\")");
  }

  @Test
  void refusesIntegers() {
    assertThat(messageOf(RandomNumbers.normal(MANY, DType.INT32, 1, 0, 1)))
        .isEqualTo("random_normal: dtype must be a float dtype of 16 bits or more, but is int32");
  }

  @Test
  void numbersAreAFunctionOfTheSeed() {
    double[] first = numbers(RandomNumbers.uniform(MANY, DType.FLOAT32, 7, 0, 1));
    assertThat(numbers(RandomNumbers.uniform(MANY, DType.FLOAT32, 7, 0, 1))).isEqualTo(first);
    assertThat(numbers(RandomNumbers.uniform(MANY, DType.FLOAT32, 8, 0, 1))).isNotEqualTo(first);
    assertThat(numbers(RandomNumbers.uniform(MANY, DType.FLOAT32, 7L << 32, 0, 1)))
        .isNotEqualTo(first);
  }

  /**
   * The first words of Threefry-2x32 with the key 0 and the counter 0 are 6B200159 and 99BA4EFE.
   */
  @Test
  void bitsAreThoseOfTheCipher() {
    Call call = RandomNumbers.uniform(ShapeExpr.of(1), DType.FLOAT32, 0, 0, 1);
    assertThat(numbers(call)[0]).isEqualTo((0x6B200159L >> 8) * Math.scalb(1.0, -24));
  }

  @Test
  void numbersAreDistributedEvenly() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      double[] numbers = numbers(RandomNumbers.uniform(MANY, dtype, 3, -1, 3));
      assertThat(Arrays.stream(numbers).allMatch(x -> x >= -1 && x < 3)).isTrue();
      assertThat(Arrays.stream(numbers).average().orElseThrow()).isCloseTo(1, within(0.05));
      assertThat(deviation(numbers)).isCloseTo(4 / Math.sqrt(12), within(0.05));
    }
  }

  @Test
  void numbersAreDistributedNormally() {
    for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      double[] numbers = numbers(RandomNumbers.normal(MANY, dtype, 3, 5, 2));
      assertThat(Arrays.stream(numbers).average().orElseThrow()).isCloseTo(5, within(0.1));
      assertThat(deviation(numbers)).isCloseTo(2, within(0.1));
      long inside = Arrays.stream(numbers).filter(x -> Math.abs(x - 5) < 2).count();
      assertThat((double) inside / numbers.length).isCloseTo(0.683, within(0.02));
    }
  }

  private static double deviation(double[] numbers) {
    double mean = Arrays.stream(numbers).average().orElseThrow();
    return Math.sqrt(
        Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).average().orElseThrow());
  }
}
