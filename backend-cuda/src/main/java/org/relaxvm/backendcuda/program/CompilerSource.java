package org.relaxvm.backendcuda.program;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.kernels.CudaCompiler;
import org.relaxvm.backendsupport.gpu.GpuLimits;

/** The compiler of CUDA C, which is looked for when somebody asks for it first. Thread-safe. */
public final class CompilerSource {
  private final Supplier<Found> search;
  private @Nullable Found found;

  /**
   * A compiler that was not looked for.
   *
   * @param search called once at most
   */
  public CompilerSource(Supplier<Found> search) {
    this.search = search;
  }

  /**
   * What a search found.
   *
   * @param compiler the compiler, or what was compiled before instead of it, if there is one
   * @param absence why there is none that takes any program, and what to do; empty when there is
   *     one
   */
  public record Found(Optional<CudaCompiler> compiler, String absence) {}

  /** The compiler, or why there is none. */
  public synchronized Found find() {
    Found result = found;
    if (result == null) {
      result = search.get();
      found = result;
    }
    return result;
  }

  /** What programs have to be scheduled for; empty when any will do. */
  public Optional<GpuLimits> preparedFor() {
    return find().compiler().flatMap(CudaCompiler::preparedFor);
  }

  /** Its version, or that there is none; for {@code doctor}. */
  public String state() {
    Found result = find();
    if (!result.absence().isEmpty()) {
      return "none: "
          + result.absence().lines().findFirst().orElse("")
          + (result.compiler().isPresent()
              ? "; prepared kernels are used"
              : "; this build has no prepared kernels");
    }
    return result.compiler().map(CudaCompiler::version).orElse("none");
  }
}
