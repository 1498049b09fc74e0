package org.relaxvm.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorTextTest {
  @Test
  void dropsThePrefixOfACondition() {
    assertThat(ErrorText.withoutPrefix("Check failed: (ptr->ndim == ndim) is false: the text"))
        .isEqualTo("the text");
  }

  @Test
  void dropsThePrefixOfAComparison() {
    assertThat(ErrorText.withoutPrefix("Check failed: a.size() == b (3 vs. 4) : the text"))
        .isEqualTo("the text");
  }

  @Test
  void leavesOtherTextsAlone() {
    assertThat(ErrorText.withoutPrefix("Unknown function: f")).isEqualTo("Unknown function: f");
  }
}
