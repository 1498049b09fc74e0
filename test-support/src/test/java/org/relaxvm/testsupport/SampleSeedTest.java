package org.relaxvm.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SampleSeedTest {
  @Test
  void aSeedThatIsGivenIsTaken() {
    String before = System.getProperty(RandomCases.SEED);
    System.setProperty(RandomCases.SEED, "17");
    try {
      assertThat(SampleSeed.chosen()).isEqualTo(17);
    } finally {
      if (before == null) {
        System.clearProperty(RandomCases.SEED);
      } else {
        System.setProperty(RandomCases.SEED, before);
      }
    }
  }

  @Test
  void withoutOneItIsThatOfTheDay() {
    String before = System.getProperty(RandomCases.SEED);
    System.clearProperty(RandomCases.SEED);
    try {
      long today = LocalDate.now(ZoneOffset.UTC).toEpochDay();
      // Midnight may come in between.
      assertThat(SampleSeed.chosen()).isBetween(today, today + 1);
    } finally {
      if (before != null) {
        System.setProperty(RandomCases.SEED, before);
      }
    }
  }
}
