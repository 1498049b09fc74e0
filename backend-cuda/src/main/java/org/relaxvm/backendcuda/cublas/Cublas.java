package org.relaxvm.backendcuda.cublas;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcuda.driver.Machine;
import org.relaxvm.backendcuda.driver.ToolkitLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.tir.analysis.EpilogueFunction;

/** cuBLAS, NVIDIA's GEMM library, of CUDA 12 or 13. Thread-safe. */
public final class Cublas {
  /** System property: the file of the library and no other, or {@value #OFF}. */
  public static final String SETTING = "relaxvm.cuda.cublas";

  /** What the setting is where the library must not be used. */
  public static final String OFF = "off";

  private static final ToolkitLibrary LIBRARY =
      new ToolkitLibrary(
          List.of("libcublas.so.13", "libcublas.so.12", "libcublas.so"),
          List.of("cublas64_13.dll", "cublas64_12.dll"),
          SETTING);

  /** Below so many rows or columns memory is the limit, and own kernels are as fast. */
  private static final long FEWEST = 8;

  /** Below so many multiplications a GEMM takes as long as it takes to start it. */
  private static final long LEAST_WORK = 1L << 18;

  private final CublasCalls calls;
  private final CublasFunctions.Version version;

  private Cublas(CublasCalls calls, CublasFunctions.Version version) {
    this.calls = calls;
    this.version = version;
  }

  /**
   * Looks for the library, and loads it until the JVM ends.
   *
   * @param driverVersion the newest version of CUDA that the driver knows, such as 12060: a library
   *     of a later major version is passed over
   */
  public static FoundLibrary<Cublas> find(int driverVersion) {
    return find(Machine.here(), driverVersion);
  }

  static FoundLibrary<Cublas> find(Machine machine, int driverVersion) {
    return find(machine, BackendOptions.none(), driverVersion);
  }

  static FoundLibrary<Cublas> find(Machine machine, BackendOptions options, int driverVersion) {
    return FoundLibrary.search(
        LIBRARY,
        machine,
        options,
        driverVersion,
        "cuBLAS",
        "own kernels multiply matrices",
        functions -> {
          CublasFunctions.Version version = functions.version("cublasGetProperty");
          version.requireDriver(driverVersion);
          return new Cublas(new CublasCalls(functions), version);
        });
  }

  /**
   * Whether cuBLAS, or {@link CublasLt} where the GEMM has an epilogue, is used for a GEMM where it
   * is there. That is so for what it {@linkplain #knows} from 8 rows, 8 columns and 2^18
   * multiplications on, as long as extents have 31 bits.
   */
  public static boolean suits(Gemm gemm) {
    long m = gemm.m();
    long n = gemm.n();
    long k = gemm.k();
    long batch = gemm.batch();
    return knows(gemm.dtype(), gemm.function())
        && Math.min(m, n) >= FEWEST
        && Math.max(Math.max(m, n), Math.max(k, batch)) <= Integer.MAX_VALUE
        && k > 0
        && batch > 0
        && (double) m * n * k * batch >= LEAST_WORK;
  }

  /**
   * Whether large GEMMs of a kind are for cuBLAS: those of float16, bfloat16, float32 and float64,
   * with {@code max(x, 0)} after them or nothing, and those of 16 bits with gelu by tanh. The
   * library's gelu is that by tanh, and nobody says how precise it is: the other one is farther
   * from it than a unit of float16, and float32 asks for more.
   */
  public static boolean knows(DType dtype, EpilogueFunction function) {
    return CublasTypes.knows(dtype)
        && switch (function) {
          case NONE, RELU -> true;
          case GELU_TANH -> dtype.bits() == 16;
          case GELU, SILU, SIGMOID, TANH -> false;
        };
  }

  /** The library's version, such as {@code cuBLAS 12.6.4}. */
  @Override
  public String toString() {
    return version.toString();
  }

  /**
   * A handle, for the context that is current now. It has to be current in all later calls, too.
   */
  public Handle open() {
    return new Handle();
  }

  /** Multiplies on one stream after the other. Whoever has it closes it. For one thread. */
  public final class Handle implements AutoCloseable {
    private final MemorySegment handle = calls.create();
    private boolean closed;
    private long usedStream;
    private long usedWorkspace;

    private Handle() {}

    /**
     * Goes on with a stream and with memory for the library's own use, which stays there as long as
     * the stream has work of this handle.
     *
     * @param stream the driver's handle of it
     * @param workspace the address of memory of the device, a multiple of 256
     * @param workspaceBytes of it
     */
    public void use(long stream, long workspace, long workspaceBytes) {
      requireOpen();
      if (stream != usedStream || workspace != usedWorkspace) {
        calls.use(handle, stream, workspace, workspaceBytes);
        usedStream = stream;
        usedWorkspace = workspace;
      }
    }

    /** Its stream ends: another one may come to have the same handle of the driver. */
    public void leave() {
      usedStream = 0;
    }

    /**
     * Enqueues a GEMM.
     *
     * @param a address of the first element
     * @param b address of the first element
     * @param c address of the first element of the result, which lies apart from both
     */
    public void multiply(Gemm gemm, long a, long b, long c) {
      requireOpen();
      calls.multiply(handle, gemm, a, b, c);
    }

    private void requireOpen() {
      if (closed) {
        throw new IllegalStateException("the handle of cuBLAS is closed");
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        calls.destroy(handle);
      }
    }
  }
}
