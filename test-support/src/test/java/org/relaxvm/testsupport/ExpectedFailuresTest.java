package org.relaxvm.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpectedFailuresTest {
  private static final ExpectedFailures EXPECTED =
      ExpectedFailures.parse("# why\na\tno images\n\nb\tno strings\n");

  @Test
  void nothingDiffersWhereAllFailAsExpected() {
    assertThat(
            EXPECTED.differences(
                List.of("a", "b", "c"), Map.of("a", "there are no images here", "b", "no strings")))
        .isEmpty();
  }

  @Test
  void newFailuresNewSuccessesAndOtherReasonsAreNamed() {
    assertThat(
            EXPECTED.differences(
                List.of("c", "b", "a"), Map.of("b", "out of memory", "c", "no axes")))
        .containsExactly(
            "a passes; expected it to fail: no images",
            "b fails: out of memory; expected: no strings",
            "c fails: no axes");
  }

  @Test
  void membersThatAreNotTestedAreNotExpectedToFail() {
    assertThat(EXPECTED.differences(List.of("c"), Map.of())).isEmpty();
  }

  @Test
  void aLineWithoutTabIsRefused() {
    assertThatThrownBy(() -> ExpectedFailures.parse("a no images"))
        .hasMessage("expected a name, a tab and a reason, but got: 'a no images'");
  }
}
