package org.relaxvm.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SampleSeedTest {
  private final @Nullable String before = System.getProperty(RandomCases.SEED);

  @AfterEach
  void restore() {
    choose(before);
  }

  private static void choose(@Nullable String seed) {
    if (seed == null) {
      System.clearProperty(RandomCases.SEED);
    } else {
      System.setProperty(RandomCases.SEED, seed);
    }
  }

  @Test
  void aSeedThatIsGivenIsTaken() {
    choose("17");
    assertThat(SampleSeed.chosen()).isEqualTo(17);
    assertThat(SampleSeed.random()).isEqualTo(17);
  }

  @Test
  void withoutOneItIsThatOfTheDay() {
    choose(null);
    long today = LocalDate.now(ZoneOffset.UTC).toEpochDay();
    // Midnight may come in between.
    assertThat(SampleSeed.chosen()).isBetween(today, today + 1);
  }

  @Test
  void theSeedOfARandomTestRepeatsTheSampleOfItsRun() {
    choose(null);
    long sample = SampleSeed.chosen();
    long random = SampleSeed.random();
    assertThat(SampleSeed.random()).isNotEqualTo(random);
    choose(String.valueOf(random));
    assertThat(SampleSeed.random()).isEqualTo(random);
    assertThat(SampleSeed.chosen()).isBetween(sample, sample + 1);
  }
}
