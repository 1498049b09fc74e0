package org.relaxvm.backendcuda.cublas;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.relaxvm.backendcuda.toolkit.Machine;
import org.relaxvm.backendcuda.toolkit.ToolkitLibrary;

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
  public record Found(Optional<Cublas> library, String file, String absence) {}

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
   * A handle for a stream.
   *
   * <p>The context of the stream has to be current for the thread, here and in all calls.
   *
   * @param stream the driver's handle of it
   * @param workspace the address of memory of the device for the library's own use, a multiple of
   *     256, which stays there as long as the stream has work of this handle
   * @param workspaceBytes of it; 4 MiB do, and 32 MiB on devices of compute capability 9.0
   */
  public ForStream open(long stream, long workspace, long workspaceBytes) {
    return new ForStream(stream, workspace, workspaceBytes);
  }

  /** Multiplies on one stream. Whoever has it closes it. Thread-safe. */
  public final class ForStream implements AutoCloseable {
    private final MemorySegment handle;
    private boolean closed;

    private ForStream(long stream, long workspace, long workspaceBytes) {
      this.handle = calls.create();
      try {
        calls.use(handle, stream, workspace, workspaceBytes);
      } catch (RuntimeException e) {
        calls.destroy(handle);
        throw e;
      }
    }

    /** The library's version, such as {@code cuBLAS 12.6.4}. */
    public synchronized String version() {
      int number = calls.version(handle);
      return "cuBLAS " + number / 10000 + "." + number / 100 % 100 + "." + number % 100;
    }

    /**
     * Enqueues a product.
     *
     * @param a address of the first element
     * @param b address of the first element
     * @param c address of the first element of the result, which lies apart from both
     */
    public synchronized void multiply(Gemm gemm, long a, long b, long c) {
      if (closed) {
        throw new IllegalStateException("the handle of cuBLAS is closed");
      }
      calls.multiply(handle, gemm, a, b, c);
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        calls.destroy(handle);
      }
    }
  }
}
