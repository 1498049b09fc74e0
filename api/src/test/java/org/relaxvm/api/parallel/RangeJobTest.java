package org.relaxvm.api.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RangeJobTest {
  private final List<Long> starts = new ArrayList<>();

  private RangeJob job(long end, long grain, int parallelism) {
    return new RangeJob(0, end, grain, parallelism, (from, to) -> starts.add(from));
  }

  @Test
  void aThreadTakesItsShareFirstAndThenThoseOfOthers() {
    RangeJob job = job(90, 10, 3);
    job.work(1, () -> false);
    assertThat(starts).containsExactly(30L, 40L, 50L, 60L, 70L, 80L, 0L, 10L, 20L);
    assertThat(job.hasWork()).isFalse();
    job.finish();
  }

  @Test
  void whatOneLeavesOthersTake() {
    RangeJob job = job(40, 10, 2);
    AtomicInteger asked = new AtomicInteger();
    job.work(1, () -> asked.incrementAndGet() == 1);
    assertThat(starts).containsExactly(20L);
    assertThat(job.hasWork()).isTrue();
    job.work(0, () -> false);
    assertThat(starts).containsExactly(20L, 0L, 10L, 30L);
    job.finish();
  }

  @Test
  void fewerPiecesThanThreadsHaveNoEmptyShares() {
    RangeJob job = job(20, 10, 8);
    job.work(7, () -> false);
    assertThat(starts).containsExactlyInAnyOrder(0L, 10L);
    job.finish();
  }

  @Test
  void nothingIsHandedOutAfterTheEnd() {
    RangeJob job = job(40, 10, 2);
    job.finish();
    job.work(0, () -> false);
    assertThat(starts).isEmpty();
    assertThat(job.hasWork()).isFalse();
  }
}
