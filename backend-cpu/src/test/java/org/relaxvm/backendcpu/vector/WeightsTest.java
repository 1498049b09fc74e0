package org.relaxvm.backendcpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.testsupport.Effort;

class WeightsTest {
  private static final int BLOCK = 1003;
  private static final float LEAST = -87;

  @Test
  void exponentialsKeepTheirStatedAccuracy() {
    int step = Effort.chosen().pick(499, 499, 1);
    double worst = 0;
    float at = 0;
    float[] arguments = new float[BLOCK];
    float[] results = new float[BLOCK];
    int count = 0;
    // Bit patterns of the numbers from 0 to 80, and of those from -0 to the least.
    int positive = Float.floatToRawIntBits(80);
    int negative = Float.floatToRawIntBits(-LEAST);
    for (long bits = 0; bits <= (long) positive + negative; bits += step) {
      boolean below = bits > positive;
      float size = Float.intBitsToFloat((int) (below ? bits - positive : bits));
      arguments[count++] = below ? -size : size;
      if (count == BLOCK || bits + step > (long) positive + negative) {
        System.arraycopy(arguments, 0, results, 0, count);
        Weights.replace(results, count, 0);
        for (int i = 0; i < count; i++) {
          double truth = StrictMath.exp(arguments[i]);
          double off = Math.abs(truth - results[i]) / Math.ulp((float) truth);
          if (off > worst) {
            worst = off;
            at = arguments[i];
          }
        }
        count = 0;
      }
    }
    System.out.printf("weights: at most %.3f units in the last place, at %s%n", worst, at);
    assertThat(worst).as("at %s", at).isLessThanOrEqualTo(2);
  }

  @Test
  void whatIsBelowTheNormalRangeIsZeroAndNanIsKept() {
    float strange = Float.intBitsToFloat(0x7FC0_01FF);
    float[] x = {Float.NEGATIVE_INFINITY, -88, -1e30f, -Float.MAX_VALUE, 0, Float.NaN, strange};
    float sum = Weights.replace(x, 5, 0);
    assertThat(sum).isEqualTo(1);
    assertThat(x).startsWith(0, 0, 0, 0, 1);
    Weights.replace(x, 7, 0);
    assertThat(x[5]).isNaN();
    assertThat(x[6]).isNaN();
  }

  @Test
  void sumsHaveTheBitsOfReplacedElements() {
    for (int count = 0; count < 70; count++) {
      float[] x = new float[count];
      for (int i = 0; i < count; i++) {
        x[i] = -i * 0.37f;
      }
      float sum = Weights.sum(x, count, 0.25f);
      assertThat(Weights.replace(x, count, 0.25f)).isEqualTo(sum);
    }
  }
}
