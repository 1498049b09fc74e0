package org.relaxvm.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RandomCasesTest {
  @Test
  void theNumbersAreThoseFromTheFirst() {
    RandomCases cases = new RandomCases(7, 3, 2);
    assertThat(cases.numbers().toArray()).containsExactly(3, 4);
    assertThat(cases.isSingle()).isFalse();
    assertThat(cases).hasToString("2 cases from 3, -Drelaxvm.seed=7");
  }

  @Test
  void theOptionsOfOneCaseNameSeedAndCase() {
    assertThat(new RandomCases(7, 3, 2).repeat(4)).startsWith("-Drelaxvm.seed=7 -Drelaxvm.case=4");
  }
}
