package org.relaxvm.builtins.params;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Bfloat16Test {
  @ParameterizedTest
  @CsvSource({
    "3F800000, 3F80",
    "3F808000, 3F80", // a tie stays at the even one below
    "3F818000, 3F82", // a tie goes up to the even one
    "3F808001, 3F81",
    "BF818000, BF82",
    "80000000, 8000",
    "00000001, 0000",
    "00018000, 0002",
    "7F7EFFFF, 7F7F", // rounded up to the largest
    "7F7F0000, 7F7F",
    "7F7FFFFF, 7F7F", // cut off, else it would be infinite
    "FF7FFFFF, FF7F",
    "7F800000, 7F80",
    "FF800000, FF80",
    "7FC00000, 7FC0",
    "7F800001, 7FC0", // not-a-number whose bits are all in the lower half
    "FFFFFFFF, FFFF"
  })
  void aFloatIsRoundedToTheNearest(String bits, String half) {
    float value = Float.intBitsToFloat(Integer.parseUnsignedInt(bits, 16));
    assertThat(Bfloat16.of(value)).isEqualTo((short) Integer.parseInt(half, 16));
  }
}
