package org.relaxvm.tir.scalar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;

class FloatRoundingTest {
  @Test
  void allNumbersOfAtMostSixteenBitsStayAndWhatIsBetweenGoesToTheNearest() {
    for (DType dtype : AllDTypes.STORED_FLOATS.subList(0, 4)) {
      long top = Grid.infinity(dtype);
      for (long bits = 0; bits < top - 1; bits++) {
        double low = Grid.ofBits(dtype, bits);
        double high = Grid.ofBits(dtype, bits + 1);
        double middle = (low + high) / 2;
        double even = (bits & 1) == 0 ? low : high;
        assertRounds(dtype, low, low);
        assertRounds(dtype, middle, even);
        assertRounds(dtype, Math.nextDown(middle), low);
        assertRounds(dtype, Math.nextUp(middle), high);
      }
    }
  }

  @Test
  void whatIsTooLargeBecomesInfinite() {
    for (DType dtype : AllDTypes.FLOATS.subList(0, 3)) {
      long top = Grid.infinity(dtype);
      double max = Grid.ofBits(dtype, top - 1);
      double limit = max + (max - Grid.ofBits(dtype, top - 2)) / 2;
      assertRounds(dtype, Math.nextDown(limit), max);
      assertRounds(dtype, limit, Double.POSITIVE_INFINITY);
      assertRounds(dtype, Double.MAX_VALUE, Double.POSITIVE_INFINITY);
      assertRounds(dtype, Double.MIN_VALUE, 0);
    }
  }

  @Test
  void whatIsTooLargeForFloat8BecomesWhatIsBeyondTheLargest() {
    assertRounds(DType.FLOAT8_E5M2, 61440, Double.POSITIVE_INFINITY);
    assertRounds(DType.FLOAT8_E5M2, Math.nextDown(61440.0), 57344);
    assertRounds(DType.FLOAT8_E5M2, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    assertRounds(DType.FLOAT8_E4M3FN, 464, 448);
    for (double x : new double[] {Math.nextUp(464.0), 1e300, Double.POSITIVE_INFINITY}) {
      assertThat(FloatRounding.round(DType.FLOAT8_E4M3FN, x)).isNaN();
      assertThat(FloatRounding.round(DType.FLOAT8_E4M3FN, -x)).isNaN();
    }
  }

  @Test
  void nanAndInfinityStay() {
    for (DType dtype : AllDTypes.FLOATS) {
      assertThat(FloatRounding.round(dtype, Double.NaN)).isNaN();
      assertRounds(dtype, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
  }

  @Test
  void otherDtypesAreRefused() {
    assertThatThrownBy(() -> FloatRounding.round(DType.INT32, 1))
        .isInstanceOf(CallException.class)
        .hasMessage("cannot round to dtype int32, which is no float");
  }

  private static void assertRounds(DType dtype, double value, double expected) {
    assertBits(FloatRounding.round(dtype, value), expected);
    assertBits(FloatRounding.round(dtype, -value), -expected);
  }

  private static void assertBits(double got, double expected) {
    assertThat(Double.doubleToRawLongBits(got)).isEqualTo(Double.doubleToRawLongBits(expected));
  }
}
