package org.relaxvm.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandardErrorTest {
  @ParameterizedTest
  @CsvSource({
    "/dev/pts/3, true",
    "/dev/null, false",
    "pipe:[12345], false",
    "socket:[12345], false",
    "/home/user/errors.txt, false",
    "/dev/tty1,",
    "/dev/console,"
  })
  void theTargetOfTheLinkSaysWhetherItIsATerminal(String target, Boolean expected) {
    assertThat(StandardError.isTerminal(target).orElse(null)).isEqualTo(expected);
  }
}
