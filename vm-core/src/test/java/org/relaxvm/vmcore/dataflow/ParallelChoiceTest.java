package org.relaxvm.vmcore.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.vmcore.dataflow.ParallelChoice.Mode;

/** When a region runs in parallel. */
class ParallelChoiceTest {
  private final ParallelChoice choice = new ParallelChoice(true);

  /** Makes runs of these times; the modes that they had. */
  private List<Mode> run(int count, long serial, long parallel) {
    List<Mode> modes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (choice.isSerialNow()) {
        modes.add(Mode.SERIAL);
        continue;
      }
      Mode mode = choice.next();
      modes.add(mode);
      switch (mode) {
        case SERIAL_MEASURED -> choice.add(mode, serial);
        case PARALLEL_MEASURED -> choice.add(mode, parallel);
        case SERIAL, PARALLEL -> {}
      }
    }
    return modes;
  }

  @Test
  void whatIsFasterIsChosenAfterFivePairs() {
    assertThat(run(3, 1_000_000, 600_000)).containsOnly(Mode.SERIAL);
    assertThat(run(10, 1_000_000, 600_000))
        .containsSubsequence(Mode.SERIAL_MEASURED, Mode.PARALLEL_MEASURED)
        .doesNotContain(Mode.SERIAL, Mode.PARALLEL);
    assertThat(run(100, 1_000_000, 600_000)).containsOnly(Mode.PARALLEL);
  }

  @Test
  void programOrderIsKeptUnlessATwentiethIsSaved() {
    run(13, 1_000_000, 970_000);
    assertThat(choice.isSerial()).isTrue();
    assertThat(run(64, 1_000_000, 970_000)).containsOnly(Mode.SERIAL);
  }

  @Test
  void shortRunsAreNotTriedInParallel() {
    assertThat(run(1000, 20_000, 1))
        .contains(Mode.SERIAL_MEASURED)
        .doesNotContain(Mode.PARALLEL, Mode.PARALLEL_MEASURED);
  }

  @Test
  void aMomentOfOtherLoadChangesNothing() {
    run(13, 1_000_000, 600_000);
    run(256 + 2, 1_000_000, 5_000_000);
    run(256 + 2, 1_000_000, 5_000_000);
    assertThat(choice.isSerial()).isFalse();
    for (int i = 0; i < 3; i++) {
      run(256 + 2, 1_000_000, 5_000_000);
    }
    assertThat(choice.isSerial()).as("load that stays").isTrue();
  }

  @Test
  void itIsMeasuredAgainWhatWasSlower() {
    run(13, 1_000_000, 2_000_000);
    assertThat(choice.isSerial()).isTrue();
    run(4 * (256 + 2), 1_000_000, 500_000);
    assertThat(choice.isSerial()).isFalse();
  }
}
