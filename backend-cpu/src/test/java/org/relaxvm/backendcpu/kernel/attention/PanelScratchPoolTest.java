package org.relaxvm.backendcpu.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PanelScratchPoolTest {
  private static final PanelScratch.Size SMALL = new PanelScratch.Size(1, 48, 4, 16, 12, 16, 80);
  private static final PanelScratch.Size OTHER = new PanelScratch.Size(2, 48, 4, 16, 12, 16, 80);
  private static final PanelScratch.Size LARGE =
      new PanelScratch.Size(60, 96, 256, 256, 96, 32, 80);

  private final PanelScratchPool pool = new PanelScratchPool();

  @Test
  void arraysAreTakenAgain() {
    PanelScratch scratch = pool.take(SMALL);
    pool.give(scratch);
    assertThat(pool.take(SMALL)).isSameAs(scratch);
  }

  @Test
  void arraysBelongToOneAtATime() {
    PanelScratch scratch = pool.take(SMALL);
    assertThat(pool.take(SMALL)).isNotSameAs(scratch);
    pool.give(scratch);
    pool.take(SMALL);
    assertThat(pool.take(SMALL)).isNotSameAs(scratch);
  }

  @Test
  void arraysOfAnotherSizeAreMadeAndTakeThePlaceOfThoseKept() {
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      pool.give(new PanelScratch(SMALL));
    }
    PanelScratch other = pool.take(OTHER);
    assertThat(other.queries).hasNumberOfRows(2);
    pool.give(other);
    assertThat(pool.take(OTHER)).isSameAs(other);
  }

  @Test
  void largeArraysAreNotKept() {
    PanelScratch scratch = pool.take(LARGE);
    pool.give(scratch);
    assertThat(pool.take(LARGE)).isNotSameAs(scratch);
  }

  @Test
  void theSizeCountsAllElements() {
    PanelScratch scratch = new PanelScratch(OTHER);
    long elements =
        2 * (scratch.queries[0].length + scratch.sums[0].length + 3L * scratch.shifts[0].length)
            + scratch.keys.length
            + scratch.values.length
            + scratch.scores.length
            + scratch.row.length
            + scratch.largest.length
            + scratch.lines.length;
    assertThat(OTHER.elements()).isEqualTo(elements);
  }
}
