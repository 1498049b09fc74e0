package org.relaxvm.backendcpu.jit.build;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.jit.AllOpsTarget;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.backendtestkit.corpus.RandomSchedule;
import org.relaxvm.backendtestkit.corpus.RandomSchedules;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.tir.verify.Verified;

/** The low-level IR of kernels, interpreted, does what the evaluator says. */
@Tag("effort")
class FragmentWriterTest {
  static List<Target> targets() {
    return List.of(new AllOpsTarget(512, 29, true), new AllOpsTarget(256, 13, false));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void kernelsOfTheCorpus(Target target) {
    Map<String, Integer> unsupported = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    List<KernelCase> kernels = KernelCorpus.sample(FragmentWriterTest.class, 300);
    int right = 0;
    for (KernelCase kernel : kernels) {
      try {
        InterpretedKernel code = InterpretedKernel.of(CpuSchedule.of(kernel.function()), target);
        CorpusRun.run(kernel, (function, arguments) -> code.run(arguments))
            .ifPresent(mismatch -> wrong.add(mismatch.toString()));
        right++;
      } catch (UnsupportedCodeException e) {
        unsupported.merge(e.getMessage(), 1, Integer::sum);
      } catch (RuntimeException e) {
        wrong.add(kernel.name() + ": " + e + at(e));
      }
    }
    System.out.println(
        target + ": low-level IR of " + right + " of " + kernels.size() + " kernels");
    unsupported.forEach((reason, count) -> System.out.println("  " + count + " x " + reason));
    assertThat(wrong).isEmpty();
  }

  private static String at(RuntimeException e) {
    return Stream.of(e.getStackTrace())
        .limit(8)
        .map(frame -> "\n      " + frame)
        .collect(joining());
  }

  @ParameterizedTest
  @MethodSource("targets")
  void kernelsWithRandomSchedules(Target target) {
    RandomCases cases = RandomCases.of(Effort.chosen().pick(200, 500, 20_000));
    System.out.println("FragmentWriterTest: " + cases);
    RandomSchedules random = new RandomSchedules();
    List<String> wrong = new ArrayList<>();
    cases
        .numbers()
        .mapToObj(i -> random.of(cases.seed() + i))
        .forEach(schedule -> check(schedule, target, wrong));
    assertThat(wrong).isEmpty();
  }

  private static void check(RandomSchedule schedule, Target target, List<String> wrong) {
    try {
      InterpretedKernel code = InterpretedKernel.of(Verified.of(schedule.scheduled()), target);
      schedule.compare(code::run).ifPresent(mismatch -> wrong.add(schedule + ": " + mismatch));
    } catch (UnsupportedCodeException e) {
      // Kernels with calls, or dtypes that there is no code for.
    } catch (RuntimeException e) {
      wrong.add(
          schedule
              + ": "
              + e
              + at(e)
              + "\n"
              + org.relaxvm.tir.text.TirText.print(schedule.scheduled()));
    }
  }
}
