package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** Random primitives on random kernels: what is legal keeps what the kernel computes. */
@Tag("effort")
class RandomScheduleTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(700, 2_000, 100_000));

  private final RandomSchedules schedules = new RandomSchedules();

  @Test
  void keepWhatKernelsCompute() {
    System.out.println("RandomScheduleTest: " + CASES);
    // How often each primitive was legal.
    Map<String, Integer> kinds = new TreeMap<>();
    CASES
        .numbers()
        .forEach(
            i -> {
              RandomSchedule schedule = schedules.of(CASES.seed() + i);
              check(schedule);
              for (String one : schedule.applied()) {
                kinds.merge(one.substring(0, one.indexOf(' ')), 1, Integer::sum);
              }
            });
    System.out.println("RandomScheduleTest: " + kinds);
    // Else the test would be about nothing; one schedule may have none.
    assertThat(kinds.values().stream().mapToInt(n -> n).sum())
        .isGreaterThanOrEqualTo((int) CASES.count() - 1);
  }

  /** A reduction that later iterations compute again was started but once. */
  @Test
  void whatIsComputedAgainIsStartedAgain() {
    check(schedules.of(1002147));
    check(schedules.of(1006859));
  }

  private static void check(RandomSchedule schedule) {
    try {
      Verifier.verify(schedule.kernel().function());
      Verifier.verify(schedule.scheduled());
      for (boolean reverse : new boolean[] {false, true}) {
        Evaluator evaluator = new Evaluator(name -> Optional.empty(), reverse);
        schedule
            .compare(arguments -> evaluator.run(schedule.scheduled(), arguments))
            .ifPresent(mismatch -> fail(text(schedule) + mismatch));
      }
    } catch (RelaxException e) {
      throw new AssertionError(text(schedule), e);
    }
  }

  private static String text(RandomSchedule schedule) {
    return schedule
        + "\n"
        + TirText.print(schedule.kernel().function())
        + TirText.print(schedule.scheduled());
  }

  @Test
  void aSeedGivesTheSameEachTime() {
    RandomSchedule once = schedules.of(CASES.seed());
    RandomSchedule again = new RandomSchedules().of(CASES.seed());
    assertThat(again.applied()).isEqualTo(once.applied());
    assertThat(TirText.print(again.scheduled())).isEqualTo(TirText.print(once.scheduled()));
    assertThat(
            CorpusRun.compare(once.kernel(), once.binding(), once.arguments(), again.arguments()))
        .isEmpty();
  }
}
