package org.relaxvm.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest {
  @Test
  void unitsArePowersOf1024() {
    ByteSize size = new ByteSize();
    assertThat(size.convert("0")).isZero();
    assertThat(size.convert("100000")).isEqualTo(100_000);
    assertThat(size.convert("64k")).isEqualTo(65_536);
    assertThat(size.convert("512M")).isEqualTo(536_870_912);
    assertThat(size.convert("2G")).isEqualTo(2_147_483_648L);
    assertThat(size.convert("1T")).isEqualTo(1_099_511_627_776L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "12X", "-1", "+1", "1.5G", "9999999999G", "1 M"})
  void othersAreRefused(String text) {
    assertThatThrownBy(() -> new ByteSize().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage(
            "'"
                + text
                + "' is not a size in bytes; expected a number, or one with K, M, G or T, such as"
                + " 512M");
  }
}
