package org.relaxvm.backendcuda.cublas;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendcuda.toolkit.Machine;
import org.relaxvm.backendcuda.toolkit.ToolkitLibrary;
import org.relaxvm.backendsupport.vendor.Product;

/**
 * cuBLAS, NVIDIA's library of products of matrices, of CUDA 12 or 13. It computes products of
 * float32 in float32, not in TF32, and those of float16 and bfloat16 with sums of float32.
 * Thread-safe.
 */
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

  /** Below so many rows or columns memory is the limit, and own kernels have an epilogue. */
  private static final long FEWEST = 8;

  /** Below so many multiplications a product takes as long as it takes to start it. */
  private static final long LEAST_WORK = 1L << 18;

  private final CublasCalls calls;

  private Cublas(CublasCalls calls) {
    this.calls = calls;
  }

  /**
   * What a search found.
   *
   * @param library the library, if there is one
   * @param file the name that it was loaded by; empty when there is none
   * @param absence why there is none: several lines; empty when there is one
   */
  public record Found(Optional<Cublas> library, String file, String absence) {
    /**
     * The same where a driver can be used with the library, which must not be of a later major
     * version.
     *
     * @param driverVersion the newest version of CUDA that the driver knows, such as 12060
     */
    public Found forDriver(int driverVersion) {
      int known = driverVersion / 1000;
      if (library.isEmpty() || library.get().calls.major() <= known) {
        return this;
      }
      return new Found(
          Optional.empty(),
          "",
          "%s (%s) needs a newer driver, and this one is of CUDA %d\n  what to do: name cuBLAS of CUDA %d with -D%s="
              .formatted(library.get().version(), file, known, known, SETTING));
    }

    /** Its version and its file, or in one line why there is none; for {@code doctor}. */
    public String state() {
      return library
          .map(found -> found.version() + " (" + file + ")")
          .orElseGet(() -> "none: " + absence.lines().findFirst().orElse(""));
    }
  }

  /** Looks for the library, and loads it until the JVM ends. */
  public static Found find() {
    if (OFF.equals(System.getProperty(SETTING))) {
      return new Found(Optional.empty(), "", "-D" + SETTING + "=" + OFF + " switches it off");
    }
    ToolkitLibrary.Found<Cublas> found =
        LIBRARY.find(Machine.here(), symbols -> new Cublas(new CublasCalls(symbols)));
    String absence =
        found.library().isPresent()
            ? ""
            : "cuBLAS was not found; own kernels multiply matrices"
                + found.tried()
                + "\n  what to do: install cuBLAS of CUDA 12 or 13, or name its file with -D"
                + SETTING
                + "=";
    return new Found(found.library(), found.file(), absence);
  }

  /**
   * Whether cuBLAS is used for a product where it is there. That is so for float16, bfloat16,
   * float32 and float64 from 8 rows, 8 columns and 2^18 multiplications on, as long as extents have
   * 31 bits.
   */
  public static boolean suits(Product product) {
    long m = product.m();
    long n = product.n();
    long k = product.k();
    long batch = product.batch();
    return CublasCalls.knows(product.dtype())
        && Math.min(m, n) >= FEWEST
        && Math.max(Math.max(m, n), Math.max(k, batch)) <= Integer.MAX_VALUE
        && k > 0
        && batch > 0
        && (double) m * n * k * batch >= LEAST_WORK;
  }

  /** The library's version, such as {@code cuBLAS 12.6.4}. */
  public String version() {
    return "cuBLAS " + calls.version();
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
     * Enqueues a product.
     *
     * @param a address of the first element
     * @param b address of the first element
     * @param c address of the first element of the result, which lies apart from both
     */
    public void multiply(Product product, long a, long b, long c) {
      requireOpen();
      calls.multiply(handle, product, a, b, c);
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
