package org.relaxvm.tir.scalar;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;

class CastsTest {
  @Test
  void integersWrapAroundToIntegers() {
    for (DType from : AllDTypes.INTEGERS) {
      for (DType to : AllDTypes.INTEGERS) {
        for (long x : AllDTypes.edges(from)) {
          assertThat(Scalars.cast(from, to, x))
              .isEqualTo(AllDTypes.wrapped(to, AllDTypes.big(from, x)));
        }
      }
    }
  }

  @Test
  void integersGoToTheNearestFloat() {
    for (DType from : AllDTypes.INTEGERS) {
      for (DType to : AllDTypes.STORED_FLOATS) {
        for (long x : AllDTypes.edges(from)) {
          assertNearest(from, to, x);
        }
      }
    }
  }

  @Test
  void largeIntegersAreRoundedOnce() {
    for (DType from : new DType[] {DType.INT64, DType.UINT64}) {
      for (int shift = 8; shift < 63; shift++) {
        for (int cut : new int[] {8, 11, 24, 53}) {
          // A tie of a float of so many bits, and its neighbours.
          long tie = (1L << shift) + (shift >= cut ? 1L << (shift - cut) : 0);
          for (long x = tie - 1; x <= tie + 1; x++) {
            for (DType to : AllDTypes.STORED_FLOATS) {
              assertNearest(from, to, x);
              assertNearest(from, to, -x);
              assertNearest(from, to, x | Long.MIN_VALUE);
            }
          }
        }
      }
    }
  }

  @Test
  void floatsGoToTheNearestIntegerTowardsZero() {
    for (DType from : AllDTypes.STORED_FLOATS) {
      for (DType to : AllDTypes.INTEGERS) {
        double[] limits = {
          0.9, 1.1, 127, 128, 255, 256, 0x1p15, 0x1p16, 0x1p31, 0x1p32, 0x1p63, 0x1p64, 0x1.8p63
        };
        for (double limit : limits) {
          for (double x : new double[] {limit, Math.nextDown(limit), Math.nextUp(limit)}) {
            assertTruncated(from, to, FloatRounding.round(from, x));
            assertTruncated(from, to, FloatRounding.round(from, -x));
          }
        }
        for (double x : Grid.edges(from)) {
          assertTruncated(from, to, x);
        }
      }
    }
  }

  @Test
  void floatsGoToTheNearestFloat() {
    for (DType from : AllDTypes.STORED_FLOATS) {
      for (DType to : AllDTypes.STORED_FLOATS) {
        for (double x : Grid.edges(from)) {
          double got = Scalars.toDouble(Scalars.cast(from, to, Double.doubleToRawLongBits(x)));
          if (Double.isFinite(x) && x != 0) {
            double nearest = Grid.nearest(to, new BigDecimal(x));
            assertThat(got).as("%s %s to %s", from, x, to).isEqualTo(Double.valueOf(nearest));
          } else {
            boolean isLost = Double.isInfinite(x) && to.equals(DType.FLOAT8_E4M3FN);
            double expected = isLost ? Double.NaN : x;
            assertThat(Double.doubleToLongBits(got)).isEqualTo(Double.doubleToLongBits(expected));
          }
        }
      }
    }
  }

  @Test
  void numbersAreTrueUnlessTheyAreZero() {
    for (DType from : AllDTypes.INTEGERS) {
      for (long x : AllDTypes.edges(from)) {
        assertThat(Scalars.cast(from, DType.BOOL, x)).isEqualTo(x == 0 ? 0 : 1);
      }
    }
    for (DType from : AllDTypes.STORED_FLOATS) {
      for (double x : Grid.edges(from)) {
        assertThat(Scalars.cast(from, DType.BOOL, Double.doubleToRawLongBits(x)))
            .isEqualTo(x == 0 ? 0 : 1);
      }
    }
  }

  @Test
  void booleansAreZeroAndOne() {
    for (long x = 0; x <= 1; x++) {
      for (DType to : AllDTypes.INTEGERS) {
        assertThat(Scalars.cast(DType.BOOL, to, x)).isEqualTo(x);
      }
      for (DType to : AllDTypes.STORED_FLOATS) {
        assertThat(Scalars.toDouble(Scalars.cast(DType.BOOL, to, x))).isEqualTo(x);
      }
      assertThat(Scalars.cast(DType.BOOL, DType.BOOL, x)).isEqualTo(x);
    }
  }

  private static void assertNearest(DType from, DType to, long x) {
    assertThat(Scalars.toDouble(Scalars.cast(from, to, x)))
        .as("%s %d to %s", from, x, to)
        .isEqualTo(Double.valueOf(Grid.nearest(to, new BigDecimal(AllDTypes.big(from, x)))));
  }

  private static void assertTruncated(DType from, DType to, double x) {
    BigInteger whole;
    if (Double.isNaN(x)) {
      whole = BigInteger.ZERO;
    } else if (Double.isInfinite(x)) {
      whole = x > 0 ? AllDTypes.max(to) : AllDTypes.min(to);
    } else {
      whole = new BigDecimal(x).toBigInteger().max(AllDTypes.min(to)).min(AllDTypes.max(to));
    }
    assertThat(Scalars.cast(from, to, Double.doubleToRawLongBits(x)))
        .as("%s %s to %s", from, x, to)
        .isEqualTo(whole.longValue());
  }
}
