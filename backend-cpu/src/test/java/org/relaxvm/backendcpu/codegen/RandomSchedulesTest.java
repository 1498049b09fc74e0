package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendtestkit.corpus.RandomSchedule;
import org.relaxvm.backendtestkit.corpus.RandomSchedules;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verified;

/** Generated code of random kernels, with random schedules and with its own, does as they say. */
class RandomSchedulesTest {
  private static final int SCHEDULES = Integer.getInteger("relaxvm.schedules", 1000);
  private static final long SEED = Long.getLong("relaxvm.seed", System.nanoTime());

  private static final RandomSchedules RANDOM = new RandomSchedules();

  @Test
  void generatedCodeRunsSchedulesAsTheyAre() {
    KernelCompiler compiler =
        new KernelCompiler(VectorOperations.of(VectorChoice.get()), Verified::of);
    System.out.println("RandomSchedulesTest: -Drelaxvm.seed=" + SEED);
    for (int i = 0; i < SCHEDULES; i++) {
      RandomSchedule schedule = RANDOM.of(SEED + i);
      check(schedule, schedule.scheduled(), compiler);
    }
  }

  @Test
  void generatedCodeOfOwnSchedulesGivesTheSame() {
    KernelCompiler compiler =
        new KernelCompiler(VectorOperations.of(VectorChoice.get()), CpuSchedule::of);
    System.out.println("RandomSchedulesTest: -Drelaxvm.seed=" + SEED);
    for (int i = 0; i < SCHEDULES; i++) {
      RandomSchedule schedule = RANDOM.of(SEED + i);
      check(schedule, schedule.kernel().function(), compiler);
    }
  }

  private static void check(RandomSchedule schedule, PrimFunc kernel, KernelCompiler compiler) {
    try {
      schedule
          .compare(arguments -> run(compiler, kernel, arguments))
          .ifPresent(mismatch -> fail(schedule + "\n" + mismatch + "\n" + TirText.print(kernel)));
    } catch (RelaxException | LinkageError | IllegalStateException e) {
      throw new AssertionError(schedule + "\n" + TirText.print(kernel), e);
    }
  }

  private static void run(KernelCompiler compiler, PrimFunc kernel, List<Object> arguments) {
    compiler
        .compile(kernel, name -> Optional.empty())
        .call(CallArgs.of(arguments.toArray()), new CallResult());
  }
}
