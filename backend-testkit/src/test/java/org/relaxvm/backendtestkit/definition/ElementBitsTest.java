package org.relaxvm.backendtestkit.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;

class ElementBitsTest {
  private static final long[] LARGE = {
    -1,
    -2,
    -1024,
    -1025,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    Long.MIN_VALUE + 1024,
    Long.MIN_VALUE + 1025,
    Long.MIN_VALUE + 3 * 1024,
    Long.MAX_VALUE,
    (1L << 53) + 1,
    7,
    0
  };

  @Test
  void integersBecomeTheNearestDouble() {
    for (long bits : LARGE) {
      double unsigned = new BigInteger(Long.toUnsignedString(bits)).doubleValue();
      assertThat(converted(bits, DType.UINT64)).isEqualTo(unsigned);
      assertThat(ElementBits.toDouble(bits, DType.UINT64)).isEqualTo(unsigned);
      double signed = BigInteger.valueOf(bits).doubleValue();
      assertThat(converted(bits, DType.INT64)).isEqualTo(signed);
      assertThat(ElementBits.toDouble(bits, DType.INT64)).isEqualTo(signed);
    }
  }

  @Test
  void integersBecomeTheNearestFloat() {
    for (long bits : LARGE) {
      long element = ElementBits.convert(bits, DType.UINT64, DType.FLOAT32);
      assertThat(Double.longBitsToDouble(ElementBits.stored(element, DType.FLOAT32)))
          .isEqualTo(new BigInteger(Long.toUnsignedString(bits)).floatValue());
    }
  }

  private static double converted(long bits, DType from) {
    return Double.longBitsToDouble(ElementBits.convert(bits, from, DType.FLOAT64));
  }
}
