package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendtestkit.corpus.RandomSchedule;
import org.relaxvm.backendtestkit.corpus.RandomSchedules;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verified;

/** Generated code of random kernels, with random schedules and with its own, does as they say. */
@Tag("effort")
class RandomSchedulesTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(400, 1_000, 100_000));

  private static final RandomSchedules RANDOM = new RandomSchedules();

  @Test
  void generatedCodeRunsSchedulesAsTheyAre() {
    KernelCompiler compiler =
        new KernelCompiler(VectorOperations.of(VectorChoice.get()), Verified::of);
    System.out.println("RandomSchedulesTest: " + CASES);
    CASES
        .numbers()
        .mapToObj(i -> RANDOM.of(CASES.seed() + i))
        .forEach(schedule -> check(schedule, schedule.scheduled(), compiler));
  }

  @Test
  void generatedCodeOfOwnSchedulesGivesTheSame() {
    KernelCompiler compiler =
        new KernelCompiler(VectorOperations.of(VectorChoice.get()), CpuSchedule::of);
    System.out.println("RandomSchedulesTest: " + CASES);
    CASES
        .numbers()
        .mapToObj(i -> RANDOM.of(CASES.seed() + i))
        .forEach(schedule -> check(schedule, schedule.kernel().function(), compiler));
  }

  @Test
  void machineCodeRunsSchedulesAsTheyAre() {
    assumeTrue(MachineCode.current().isAvailable(), MachineCode.current().reason());
    KernelCompiler compiler =
        new KernelCompiler(
            Optional.empty(),
            Verified::of,
            Optional.of(MachineTargets.kernels(MachineCode.current())),
            false,
            BackendOptions.none());
    System.out.println("RandomSchedulesTest: " + CASES);
    CASES
        .numbers()
        .mapToObj(i -> RANDOM.of(CASES.seed() + i))
        .forEach(schedule -> check(schedule, schedule.scheduled(), compiler));
    System.out.println("random schedules, " + compiler.report());
  }

  private static void check(RandomSchedule schedule, PrimFunc kernel, KernelCompiler compiler) {
    // Depends on the seed of the schedule alone, so that a repeated case has the same.
    MemoryKind memory = MemoryKind.values()[Math.floorMod(schedule.seed(), 3)];
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
