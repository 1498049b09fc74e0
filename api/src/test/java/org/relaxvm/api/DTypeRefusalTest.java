package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;

/** Names that are no dtype: they come from files, so any text must be refused in the same way. */
class DTypeRefusalTest {
  @Test
  void lanesMustBeANumber() {
    for (String text : new String[] {"boolx4x4", "int8x", "int8x0", "int8x99999", "floatx4y"}) {
      assertThatThrownBy(() -> DType.parse(text))
          .as(text)
          .isInstanceOf(CallException.class)
          .hasMessageContaining("dtype");
    }
    assertThatThrownBy(() -> DType.parse("boolx4x4"))
        .hasMessage("the lanes of dtype 'boolx4x4' must be an integer from 1 to 32767");
  }

  @Test
  void longNamesAreRefusedAtOnceAndShownInPart() {
    assertThatThrownBy(() -> DType.parse("int" + "x".repeat(1_000_000)))
        .isInstanceOf(CallException.class)
        .hasMessageStartingWith("unknown dtype 'int" + "x".repeat(61) + "...'\n  expected: ");
  }
}
