package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.MemoryKind;
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
      check(schedule, schedule.scheduled(), compiler, MemoryKind.values()[i % 3]);
    }
  }

  @Test
  void generatedCodeOfOwnSchedulesGivesTheSame() {
    KernelCompiler compiler =
        new KernelCompiler(VectorOperations.of(VectorChoice.get()), CpuSchedule::of);
    System.out.println("RandomSchedulesTest: -Drelaxvm.seed=" + SEED);
    for (int i = 0; i < SCHEDULES; i++) {
      RandomSchedule schedule = RANDOM.of(SEED + i);
      check(schedule, schedule.kernel().function(), compiler, MemoryKind.values()[i % 3]);
    }
  }

  private static void check(
      RandomSchedule schedule, PrimFunc kernel, KernelCompiler compiler, MemoryKind memory) {
    try {
      schedule
          .compare(arguments -> run(compiler, kernel, arguments, memory))
          .ifPresent(
              mismatch ->
                  fail(schedule + ", " + memory + "\n" + mismatch + "\n" + TirText.print(kernel)));
    } catch (RelaxException | LinkageError | IllegalStateException e) {
      throw new AssertionError(schedule + ", " + memory + "\n" + TirText.print(kernel), e);
    }
  }

  private static void run(
      KernelCompiler compiler, PrimFunc kernel, List<Object> arguments, MemoryKind memory) {
    List<Object> moved = GeneratedKernels.in(memory, arguments);
    compiler
        .compile(kernel, name -> Optional.empty())
        .call(CallArgs.of(moved.toArray()), new CallResult());
    for (int i = 0; i < moved.size(); i++) {
      if (moved.get(i) instanceof Tensor tensor && !tensor.equals(arguments.get(i))) {
        tensor.copyInto((Tensor) arguments.get(i));
      }
    }
  }
}
