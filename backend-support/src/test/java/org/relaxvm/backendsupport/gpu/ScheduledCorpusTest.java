package org.relaxvm.backendsupport.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * The launches of every kernel of the corpus, read as loops whose iterations run one after the
 * other, give what the kernel gives: for large and for small work-groups, and with work-items in
 * either order. At quick effort each has a sample of kernels, which {@code -Drelaxvm.seed=}
 * repeats.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("effort")
class ScheduledCorpusTest {
  private static final int SAMPLE = 400;

  static Stream<GpuLimits> limits() {
    return Stream.of(new GpuLimits(256, 32 << 10, 32, 16, 8), new GpuLimits(8, 1 << 10, 1, 8, 1));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void launchesComputeWhatTheKernelDoes(GpuLimits limits) {
    List<String> wrong = new ArrayList<>();
    Set<Long> workGroupSizes = new HashSet<>();
    for (KernelCase kernel : KernelCorpus.sample(ScheduledCorpusTest.class, SAMPLE)) {
      // Each kernel backwards with one of the limits and forwards with the other.
      boolean backwards =
          Math.floorMod(kernel.name().hashCode() + limits.maxWorkGroupSize() / 8, 2) == 0;
      Evaluator evaluator = new Evaluator(name -> Optional.empty(), backwards);
      try {
        PrimFunc scheduled = GpuSchedule.of(kernel.function(), limits).asKernel();
        addWorkGroupSizes(scheduled, workGroupSizes);
        CorpusRun.run(kernel, (function, args) -> evaluator.run(scheduled, args))
            .ifPresent(mismatch -> wrong.add(mismatch.toString()));
      } catch (RelaxException e) {
        wrong.add(kernel + " fails: " + e.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(workGroupSizes).contains((long) limits.maxWorkGroupSize());
    assertThat(workGroupSizes).allMatch(size -> size <= limits.maxWorkGroupSize());
  }

  private static void addWorkGroupSizes(PrimFunc scheduled, Set<Long> sizes) {
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof For loop
            && loop.thread().filter(axis -> axis == ThreadAxis.THREAD_X).isPresent()) {
          if (loop.extent() instanceof IntImm size) {
            sizes.add(size.value());
          }
        }
        super.visit(stmt);
      }
    }.visit(scheduled.body());
  }
}
