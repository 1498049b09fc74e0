package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class Float8Test {
  @Test
  void bytesAreWhatTheSpecificationListsForE4m3fn() {
    assertReads(Float8.E4M3FN, 0x00, 0f);
    assertReads(Float8.E4M3FN, 0x01, 0x1p-9f);
    assertReads(Float8.E4M3FN, 0x07, 0x1.Cp-7f);
    assertReads(Float8.E4M3FN, 0x08, 0x1p-6f);
    assertReads(Float8.E4M3FN, 0x38, 1f);
    assertReads(Float8.E4M3FN, 0x7E, 448f);
    assertReads(Float8.E4M3FN, 0x7F, Float.NaN);
  }

  @Test
  void bytesAreWhatTheSpecificationListsForE5m2() {
    assertReads(Float8.E5M2, 0x00, 0f);
    assertReads(Float8.E5M2, 0x01, 0x1p-16f);
    assertReads(Float8.E5M2, 0x03, 0x1.8p-15f);
    assertReads(Float8.E5M2, 0x04, 0x1p-14f);
    assertReads(Float8.E5M2, 0x3C, 1f);
    assertReads(Float8.E5M2, 0x7B, 57344f);
    assertReads(Float8.E5M2, 0x7C, Float.POSITIVE_INFINITY);
    assertReads(Float8.E5M2, 0x7D, Float.NaN);
    assertReads(Float8.E5M2, 0x7E, Float.NaN);
    assertReads(Float8.E5M2, 0x7F, Float.NaN);
  }

  @Test
  void e5m2IsTheUpperHalfOfFloat16() {
    for (int code = 0; code < 256; code++) {
      assertThat(Float8.E5M2.toFloat((byte) code))
          .isEqualTo(Float.valueOf(Float.float16ToFloat((short) (code << 8))));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyByteThatIsANumberComesBack(Float8 format) {
    for (int code = 0; code < 256; code++) {
      float value = format.toFloat((byte) code);
      int expected = Float.isNaN(value) ? (code & 0x80) | format.nan() : code;
      assertThat(format.ofFloat(value)).as("code %x", code).isEqualTo((byte) expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsBetweenGoesToTheNearestAndFromTheMiddleToTheEven(Float8 format) {
    for (int code = 0; code <= format.largest(); code++) {
      float low = format.toFloat((byte) code);
      // What would come after the largest number decides what still becomes it.
      float high =
          code < format.largest()
              ? format.toFloat((byte) (code + 1))
              : low + (low - format.toFloat((byte) (code - 1)));
      float middle = (low + high) / 2;
      assertWrites(format, low, code);
      assertWrites(format, Math.nextDown(middle), code);
      assertWrites(format, middle, (code & 1) == 0 ? code : code + 1);
      assertWrites(format, Math.nextUp(middle), code + 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"E4M3FN, 127", "E5M2, 124"})
  void whatIsTooLargeBecomesWhatIsBeyondTheLargest(Float8 format, int beyond) {
    assertThat(format.beyond()).isEqualTo(beyond);
    assertWrites(format, 65536f, beyond);
    assertWrites(format, Float.MAX_VALUE, beyond);
    assertWrites(format, Float.POSITIVE_INFINITY, beyond);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTooSmallBecomesZeroWithItsSign(Float8 format) {
    assertWrites(format, 0f, 0);
    assertWrites(format, Float.MIN_VALUE, 0);
    assertWrites(format, Float.MIN_NORMAL, 0);
    assertWrites(format, 0x1p-20f, 0);
  }

  @ParameterizedTest
  @EnumSource
  void formatsAreFoundByTheirDtype(Float8 format) {
    assertThat(Float8.of(format.dtype())).contains(format);
    assertThat(format.dtype()).hasToString("float8_" + format.name().toLowerCase(Locale.ROOT));
    assertThat(format.dtype().isFloat()).isTrue();
    assertThat(Float8.of(DType.FLOAT16)).isEmpty();
    assertThat(DType.parse("float8_e5m2x4").isFloat8()).isFalse();
    assertThat(DType.parse("float8_e4m3").isFloat()).isFalse();
  }

  private static void assertReads(Float8 format, int code, float value) {
    assertThat(format.toFloat((byte) code)).isEqualTo(Float.valueOf(value));
    // The sign of what is not a number is of no meaning.
    float negative = format.toFloat((byte) (code | 0x80));
    assertThat(negative).isEqualTo(Float.valueOf(-value));
  }

  private static void assertWrites(Float8 format, float value, int code) {
    assertThat(format.ofFloat(value)).as("%s", value).isEqualTo((byte) code);
    assertThat(format.ofFloat(-value)).as("-%s", value).isEqualTo((byte) (code | 0x80));
  }
}
