package org.relaxvm.integrationtests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Damages files at random. */
class FuzzTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(2_500, 5_000, 500_000));

  // The verifier's analysis and the register stack may take a fixed amount whatever the input.
  private static final long FREE_BYTES = 64 << 20;
  private static final long BYTES_PER_INPUT_BYTE = 2_000;
  private static final Duration MOST_TIME = Duration.ofSeconds(10);
  private static final int SHOWN_FAILURES = 10;
  private static final int PROGRESS = 50_000;

  private final Watchdog watchdog = new Watchdog();
  private final List<String> failures = new ArrayList<>();
  private volatile long current;
  private long mostAllocated;
  private Duration longest = Duration.ZERO;

  @Test
  void damagedFilesEndInTypedErrorsWithinBounds(@TempDir Path folder) throws IOException {
    System.out.println("FuzzTest: " + CASES);
    Mutator mutator = new Mutator(Corpus.make(folder));
    try (BackendRegistry registry =
        BackendRegistry.builder()
            .add(new CpuBackendProvider())
            .add(new BuiltinFunctions(new PrintStream(OutputStream.nullOutputStream())))
            .build()) {
      FileTarget target = new FileTarget(folder, registry);
      Map<Outcome, Long> outcomes = watchdog.guard(() -> all(mutator, target), this::describe);
      System.out.println("FuzzTest: " + outcomes);
      System.out.println(
          "FuzzTest: at most " + mostAllocated + " bytes and " + longest.toMillis() + " ms a case");
      assertThat(failures).isEmpty();
      if (!CASES.isSingle()) {
        assertThat(outcomes).containsKeys(Outcome.REFUSED_BY_READER, Outcome.READ, Outcome.RAN);
        assertThat(outcomes.get(Outcome.RAN)).isGreaterThan(CASES.count() / 10);
      }
    }
  }

  private Map<Outcome, Long> all(Mutator mutator, FileTarget target) {
    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    for (long number : CASES.numbers().toArray()) {
      current = number;
      Sample damaged = mutator.damaged(CASES.seed(), number);
      try {
        Watchdog.Cost cost =
            watchdog.measure(() -> outcomes.merge(target.run(damaged), 1L, Long::sum));
        judge(cost, damaged);
      } catch (RuntimeException | Error e) {
        fail(damaged, trace(e));
      }
      if ((number + 1) % PROGRESS == 0) {
        System.out.println(
            "FuzzTest: " + (number + 1) + " cases, " + failures.size() + " failures");
      }
      if (failures.size() >= SHOWN_FAILURES) {
        break;
      }
    }
    return outcomes;
  }

  private void judge(Watchdog.Cost cost, Sample damaged) {
    mostAllocated = Math.max(mostAllocated, cost.allocatedBytes());
    longest = longest.compareTo(cost.processorTime()) < 0 ? cost.processorTime() : longest;
    long most = FREE_BYTES + BYTES_PER_INPUT_BYTE * damaged.bytes().length;
    if (cost.allocatedBytes() > most) {
      fail(damaged, "allocated " + cost.allocatedBytes() + " bytes, more than " + most);
    }
    if (cost.processorTime().compareTo(MOST_TIME) > 0) {
      fail(damaged, "took " + cost.processorTime() + ", longer than " + MOST_TIME);
    }
  }

  private void fail(Sample damaged, String what) {
    failures.add(
        describe() + ", a " + damaged.format() + " file made from " + damaged.name() + ": " + what);
  }

  private String describe() {
    return CASES.repeat(current);
  }

  private static String trace(Throwable error) {
    StringBuilder text = new StringBuilder(error.toString());
    StackTraceElement[] frames = error.getStackTrace();
    for (int i = 0; i < Math.min(12, frames.length); i++) {
      text.append("\n    at ").append(frames[i]);
    }
    return error.getCause() == null
        ? text.toString()
        : text + "\n  from " + trace(error.getCause());
  }
}
