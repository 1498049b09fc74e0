package org.relaxvm.cli.profile;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Device;
import org.relaxvm.cli.bench.WarmUp;
import org.relaxvm.cli.output.Progress;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * Links a program, calls one of its functions, and records all of it. Not thread-safe.
 *
 * <p>Order: {@link #link}, {@link #run}, {@link #finish}.
 */
public final class Profiler implements AutoCloseable {
  private final Program program;
  private final ProfileRecorder recorder;
  private @Nullable VirtualMachine vm;
  private @Nullable Profile profile;
  private @Nullable WarmUp warmUp;

  /**
   * Starts to record.
   *
   * @throws org.relaxvm.api.error.CallException when this Java cannot record
   */
  public Profiler(Program program) {
    this.program = program;
    this.recorder = ProfileRecorder.start();
  }

  /**
   * Links, and compiles the kernels.
   *
   * @return what the profiler closes
   */
  public VirtualMachine link(Supplier<VirtualMachine> linker) {
    PhaseEvent.around("link", () -> vm = linker.get());
    VirtualMachine linked = requireLinked();
    PhaseEvent.around("prepare", linked::warmUp);
    return linked;
  }

  /**
   * Calls a function: first to warm up, then to measure.
   *
   * @param warmup calls to warm up; negative for as many as it takes to be steady
   */
  public void run(
      VmFunction function, @Nullable Object[] args, int warmup, int repeat, Progress progress) {
    if (warmup != 0) {
      PhaseEvent.around(
          "warm-up",
          () -> warmUp = WarmUp.run(() -> function.call(args).close(), warmup, progress));
    }
    PhaseEvent.around(Profile.RUNS, () -> call(function, args, repeat, progress));
  }

  /** The calls before the measured ones; empty where there were none. */
  public Optional<WarmUp> warmUp() {
    return Optional.ofNullable(warmUp);
  }

  private static void call(
      VmFunction function, @Nullable Object[] args, int times, Progress progress) {
    for (int i = 0; i < times; i++) {
      function.call(args).close();
      progress.step();
    }
  }

  /** Ends the recording. What devices did until then is in it. */
  public void finish() {
    List<String> hosts =
        requireLinked().devices().stream()
            .filter(Device::isHost)
            .map(device -> device.id().toString())
            .toList();
    profile = recorder.stop(hosts);
  }

  /** Writes the trace. */
  public void writeTrace(Path file) {
    TraceWriter.write(file, requireFinished());
  }

  /** The tables, with so many kernels at most. */
  public List<String> lines(int mostKernels) {
    return report(mostKernels).lines();
  }

  /** The same for programs, with all kernels. */
  public Map<String, Object> json() {
    return report(Integer.MAX_VALUE).json();
  }

  private ProfileReport report(int mostKernels) {
    return new ProfileReport(
        ProfileSummary.of(requireFinished(), new ProgramCosts(program)), mostKernels);
  }

  private VirtualMachine requireLinked() {
    if (vm == null) {
      throw new IllegalStateException("link() comes first");
    }
    return vm;
  }

  private Profile requireFinished() {
    if (profile == null) {
      throw new IllegalStateException("finish() comes first");
    }
    return profile;
  }

  @Override
  public void close() {
    try (recorder) {
      if (vm != null) {
        vm.close();
      }
    }
  }
}
