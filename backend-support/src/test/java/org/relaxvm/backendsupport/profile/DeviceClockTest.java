package org.relaxvm.backendsupport.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class DeviceClockTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void aClockThatWasNeverReadSaysSo() {
    DeviceClock clock = new DeviceClock(1);
    assertThat(clock.isSet()).isFalse();
    assertThatThrownBy(() -> clock.hostNanos(5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the clock of the device was never read");
  }

  @Test
  void oneSampleTellsWhereTheClockStarts() {
    DeviceClock clock = new DeviceClock(1);
    clock.sample(1000, 70, 1020);
    assertThat(clock.hostNanos(70)).isEqualTo(1010);
    assertThat(clock.hostNanos(170)).isEqualTo(1110);
    assertThat(clock.hostNanos(0)).isEqualTo(940);
    assertThat(clock.nanos(100)).isEqualTo(100);
  }

  @Test
  void aTickNeedNotBeANanosecond() {
    DeviceClock clock = new DeviceClock(80);
    clock.sample(1000, 10, 1000);
    assertThat(clock.hostNanos(12)).isEqualTo(1160);
    assertThat(clock.nanos(3)).isEqualTo(240);
  }

  @Test
  void theMostExactOfTheFirstSamplesCounts() {
    DeviceClock clock = new DeviceClock(1);
    clock.sample(0, 100, 1000);
    clock.sample(2000, 1100, 2010);
    clock.sample(3000, 3000, 5000);
    assertThat(clock.hostNanos(1100)).isEqualTo(2005);
  }

  @Test
  void samplesFarApartTellHowMuchFasterTheClockGoes() {
    // The device counts 1,000,050 nanoseconds where the host counts 1,000,000.
    DeviceClock clock = new DeviceClock(1);
    for (long t = 0; t <= 100; t++) {
      clock.sample(t * SECOND - 50, 7 * SECOND + t * 1_000_050_000L, t * SECOND + 50);
    }
    assertThat(clock.hostNanos(7 * SECOND + 50 * 1_000_050_000L))
        .isCloseTo(50 * SECOND, within(100L));
    assertThat(clock.hostNanos(7 * SECOND + 200 * 1_000_050_000L))
        .isCloseTo(200 * SECOND, within(300L));
    assertThat(clock.nanos(1_000_050_000L)).isCloseTo(SECOND, within(2L));
  }

  @Test
  void aRateThatNoClockHasIsNotBelieved() {
    DeviceClock clock = new DeviceClock(1);
    clock.sample(0, 0, 10);
    clock.sample(10 * SECOND, 12 * SECOND, 10 * SECOND + 10);
    assertThat(clock.nanos(1000)).isEqualTo(1000);
    assertThat(clock.hostNanos(12 * SECOND)).isEqualTo(10 * SECOND + 5);
  }

  @Test
  void aSampleThatTookLongDoesNotTellTheRate() {
    DeviceClock clock = new DeviceClock(1);
    clock.sample(0, 0, 10);
    clock.sample(2 * SECOND, 2 * SECOND + 1_000_000, 2 * SECOND + 4_000_000);
    assertThat(clock.nanos(1_000_000_000)).isEqualTo(1_000_000_000);
  }
}
