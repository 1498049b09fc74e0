package org.relaxvm.backendcpu.fence;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.jit.GuardedKernels;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.MachineTargets;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.backendtestkit.corpus.Mismatch;
import org.relaxvm.backendtestkit.corpus.RandomSchedule;
import org.relaxvm.backendtestkit.corpus.RandomSchedules;
import org.relaxvm.machine.x64.Feature;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.verify.Verified;

/**
 * Runs kernels of the corpus and random schedules as machine code on fenced tensors. Prints each
 * name before it runs, so that the last one is the one that ended the process.
 */
final class FencedRun {
  private final boolean isAtEnd;
  private final KernelCompiler ofRules;
  private final KernelCompiler asWritten;

  private FencedRun(boolean isAtEnd, Set<Feature> features) {
    this.isAtEnd = isAtEnd;
    this.ofRules = compiler(features, true);
    this.asWritten = compiler(features, false);
  }

  private static KernelCompiler compiler(Set<Feature> features, boolean isScheduled) {
    Set<Feature> present = EnumSet.copyOf(MachineCode.current().features());
    present.retainAll(features);
    return new KernelCompiler(
        Optional.empty(),
        isScheduled ? CpuSchedule::of : Verified::of,
        Optional.of(GuardedKernels.of(MachineTargets.kernels(new MachineCode(present, "")))),
        false,
        BackendOptions.none());
  }

  /**
   * Runs and prints what kernels became.
   *
   * @param args end or start; all or v3; the number of kernels, of schedules, and a seed; or two
   *     words and self-test, which reads a byte beyond a tensor
   */
  public static void main(String[] args) {
    boolean isAtEnd = args[0].equals("end");
    if (args[2].equals("self-test")) {
      readBeyond(isAtEnd);
      return;
    }
    Set<Feature> features = args[1].equals("v3") ? Feature.x86V3() : EnumSet.allOf(Feature.class);
    FencedRun run = new FencedRun(isAtEnd, features);
    int kernels = Integer.parseInt(args[2]);
    int schedules = Integer.parseInt(args[3]);
    long seed = Long.parseLong(args[4]);
    run.corpus(kernels, seed);
    run.schedules(schedules, seed);
    System.out.println("corpus, " + run.ofRules.report());
    System.out.println("schedules, " + run.asWritten.report());
    boolean isComplete =
        run.ofRules.report().others().isEmpty() && run.asWritten.report().others().isEmpty();
    System.out.println(isComplete ? "done" : "not all are machine code");
  }

  @SuppressWarnings("restricted") // to be ended by the system is what it is for
  private static void readBeyond(boolean isAtEnd) {
    try (FencedMemory memory = new FencedMemory(isAtEnd)) {
      long address = memory.allocate(100).address() + (isAtEnd ? 100 : -1);
      System.out.println("reads a byte");
      System.out.println(
          java.lang.foreign.MemorySegment.ofAddress(address)
              .reinterpret(1)
              .get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
    }
  }

  private void corpus(int count, long seed) {
    List<KernelCase> all = KernelCorpus.kernels();
    int step = Math.max(1, all.size() / count);
    for (int i = (int) (seed % step); i < all.size(); i += step) {
      KernelCase kernel = all.get(i);
      System.out.println(kernel.name());
      CorpusRun.run(kernel, (function, args) -> run(ofRules, function, args))
          .ifPresent(FencedRun::fail);
    }
  }

  private void schedules(int count, long seed) {
    RandomSchedules random = new RandomSchedules();
    for (int i = 0; i < count; i++) {
      RandomSchedule schedule = random.of(seed + i);
      System.out.println(schedule);
      schedule
          .compare(args -> run(asWritten, schedule.scheduled(), args))
          .ifPresent(FencedRun::fail);
    }
  }

  private static void fail(Mismatch mismatch) {
    throw new AssertionError(mismatch.toString());
  }

  private void run(KernelCompiler compiler, PrimFunc kernel, List<Object> args) {
    PackedFunc function = compiler.compile(kernel, name -> Optional.empty());
    try (FencedMemory memory = new FencedMemory(isAtEnd)) {
      List<Object> fenced = new ArrayList<>();
      for (Object arg : args) {
        fenced.add(arg instanceof Tensor tensor ? memory.copy(tensor) : arg);
      }
      function.call(CallArgs.of(fenced.toArray()), new CallResult());
      for (int i = 0; i < args.size(); i++) {
        if (fenced.get(i) instanceof Tensor tensor) {
          tensor.copyInto((Tensor) args.get(i));
        }
      }
    }
  }
}
