package org.relaxvm.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EffortTest {
  @Test
  void effortsAreNamedInLowerCaseAndQuickIsTheDefault() {
    assertThat(Effort.parse("")).isEqualTo(Effort.QUICK);
    assertThat(Effort.parse("quick")).isEqualTo(Effort.QUICK);
    assertThat(Effort.parse("full")).isEqualTo(Effort.FULL);
    assertThat(Effort.parse("long")).isEqualTo(Effort.LONG);
  }

  @Test
  void anUnknownEffortIsRefused() {
    assertThatThrownBy(() -> Effort.parse("Full"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            """
            -Drelaxvm.effort=Full: there is no such effort
              efforts: quick, full, long
              what to do: give one of them\
            """);
  }

  @Test
  void eachEffortPicksItsNumber() {
    assertThat(Effort.QUICK.pick(1, 2, 3)).isEqualTo(1);
    assertThat(Effort.FULL.pick(1, 2, 3)).isEqualTo(2);
    assertThat(Effort.LONG.pick(1, 2, 3)).isEqualTo(3);
    assertThat(Effort.QUICK.isComplete()).isFalse();
    assertThat(Effort.FULL.isComplete()).isTrue();
    assertThat(Effort.LONG.isComplete()).isTrue();
  }
}
