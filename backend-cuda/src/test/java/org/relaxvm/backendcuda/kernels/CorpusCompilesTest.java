package org.relaxvm.backendcuda.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Kernels of the corpus compile for the oldest architecture that is used and for a new one. A
 * sample is compiled, which {@code -Drelaxvm.seed=} repeats; at long effort all of them are.
 */
@Tag("effort")
class CorpusCompilesTest {
  private static final int QUICK = 40;
  private static final int FULL = 240;

  /** As many in one program: a compiler takes its time to start. */
  private static final int PROGRAM = 20;

  private static List<List<KernelCase>> programs = List.of();

  @BeforeAll
  static void choose() {
    List<KernelCase> chosen = KernelCorpus.sample(CorpusCompilesTest.class, QUICK, FULL);
    programs =
        IntStream.range(0, (chosen.size() + PROGRAM - 1) / PROGRAM)
            .mapToObj(i -> chosen.subList(i * PROGRAM, Math.min(chosen.size(), (i + 1) * PROGRAM)))
            .toList();
  }

  @ParameterizedTest
  @CsvSource({"7, 5, true", "9, 0, false"})
  void compile(int major, int minor, boolean wide) {
    Nvcc nvcc = Nvcc.needed("CorpusCompilesTest");
    CudaTarget target = new CudaTarget(major, minor);
    ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    programs.parallelStream()
        .forEach(
            kernels -> {
              try {
                nvcc.compile("kernels of the corpus", program(kernels, wide), target);
              } catch (CompileException e) {
                wrong.add(kernels + ": " + e.log());
              }
            });
    assertThat(wrong).isEmpty();
  }

  /** For work-groups of many work-items, or of few. */
  private static String program(List<KernelCase> kernels, boolean wide) {
    ProgramSource program = new ProgramSource(new CudaDialect());
    for (KernelCase kernel : kernels) {
      GpuLimits limits =
          kernel.name().hashCode() % 2 == 0
              ? new GpuLimits(1024, 48 << 10, 32, 16, 132)
              : new GpuLimits(64, 16 << 10, 32, 16, 2);
      for (Stmt launch : GpuSchedule.of(kernel.function(), limits).launches()) {
        program.add(kernel.name(), KernelSource.of(launch), wide);
      }
    }
    return program.text();
  }
}
