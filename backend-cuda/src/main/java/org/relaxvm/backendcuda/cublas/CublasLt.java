package org.relaxvm.backendcuda.cublas;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcuda.driver.Machine;
import org.relaxvm.backendcuda.driver.ToolkitLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;

/**
 * cuBLASLt, the part of cuBLAS that adds a bias to GEMMs and applies a function to them. {@link
 * Cublas#suits} says which GEMMs are for it. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cuda.md, "Why is a cuBLASLt algorithm chosen per form and
 * alignment, and kept?"
 */
public final class CublasLt {
  /** System property: the file of the library and no other, or {@value Cublas#OFF}. */
  public static final String SETTING = "relaxvm.cuda.cublasLt";

  private static final ToolkitLibrary LIBRARY =
      new ToolkitLibrary(
          List.of("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"),
          List.of("cublasLt64_13.dll", "cublasLt64_12.dll"),
          SETTING);

  /** For how many forms of GEMMs a handle knows the algorithm. */
  static final int CAPACITY = 256;

  private final CublasLtCalls calls;
  private final CublasFunctions.Version version;

  private CublasLt(CublasLtCalls calls, CublasFunctions.Version version) {
    this.calls = calls;
    this.version = version;
  }

  /**
   * Looks for the library, and loads it until the JVM ends. It is not used where {@link
   * Cublas#SETTING} switches cuBLAS off.
   *
   * @param driverVersion the newest version of CUDA that the driver knows, such as 12060: a library
   *     of a later major version is passed over
   */
  public static FoundLibrary<CublasLt> find(int driverVersion) {
    return find(Machine.here(), driverVersion);
  }

  static FoundLibrary<CublasLt> find(Machine machine, int driverVersion) {
    return find(machine, BackendOptions.none(), driverVersion);
  }

  static FoundLibrary<CublasLt> find(Machine machine, BackendOptions options, int driverVersion) {
    if (Cublas.OFF.equals(options.property(Cublas.SETTING))) {
      return FoundLibrary.none(
          options.origin(Cublas.SETTING) + "=" + Cublas.OFF + " switches it off");
    }
    return FoundLibrary.search(
        LIBRARY,
        machine,
        options,
        driverVersion,
        "cuBLASLt",
        "own kernels compute GEMMs with an epilogue",
        functions -> {
          CublasFunctions.Version version = functions.version("cublasLtGetProperty");
          version.requireDriver(driverVersion);
          return new CublasLt(new CublasLtCalls(functions), version);
        });
  }

  /** The library's version, such as {@code cuBLASLt 12.6.4}. */
  @Override
  public String toString() {
    return version.toString();
  }

  /**
   * A handle, for the context that is current now. It has to be current in all later calls, too.
   *
   * @param workspaceBytes how much memory its GEMMs work in
   */
  public Handle open(long workspaceBytes) {
    return new Handle(workspaceBytes);
  }

  /** What an algorithm is chosen for. */
  private record Form(Gemm gemm, Addresses alignments) {}

  /** Multiplies in any stream. Whoever has it closes it. For one thread. */
  public final class Handle implements AutoCloseable {
    private final MemorySegment handle = calls.create();
    private final long workspaceBytes;
    private final SequencedMap<Form, Optional<CublasLtCalls.Plan>> plans =
        new LinkedHashMap<>(16, 0.75f, true);
    private boolean closed;

    private Handle(long workspaceBytes) {
      this.workspaceBytes = workspaceBytes;
    }

    /**
     * Prepares a GEMM; enqueues nothing.
     *
     * @return empty when the library has no algorithm for it
     */
    public Optional<Multiplication> prepare(Gemm gemm, Addresses at) {
      if (closed) {
        throw new IllegalStateException("the handle of cuBLASLt is closed");
      }
      return plan(new Form(gemm, at.alignments()), at)
          .map(
              plan ->
                  (stream, workspace) ->
                      plan.multiply(handle, at, workspace, workspaceBytes, stream));
    }

    private Optional<CublasLtCalls.Plan> plan(Form form, Addresses at) {
      Optional<CublasLtCalls.Plan> known = plans.get(form);
      if (known == null) {
        known = calls.plan(handle, form.gemm(), at, workspaceBytes);
        plans.put(form, known);
        if (plans.size() > CAPACITY) {
          plans.pollFirstEntry().getValue().ifPresent(CublasLtCalls.Plan::destroy);
        }
      }
      return known;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        plans.values().forEach(plan -> plan.ifPresent(CublasLtCalls.Plan::destroy));
        calls.destroy(handle);
      }
    }
  }
}
