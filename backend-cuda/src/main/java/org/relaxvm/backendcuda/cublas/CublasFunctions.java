package org.relaxvm.backendcuda.cublas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcuda.driver.ToolkitLibrary.UselessException;

/**
 * Finds functions that return a {@code cublasStatus_t}, and makes errors of it. Thread-safe.
 *
 * @param library its name for messages, such as {@code cuBLAS}
 * @param setting the system property that switches it off
 */
record CublasFunctions(SymbolLookup symbols, String library, String setting) {
  static final int ALLOC_FAILED = 3;
  static final int NOT_SUPPORTED = 15;

  /** A call of such a function. */
  interface Call {
    int status() throws Throwable;
  }

  /**
   * The function of a name.
   *
   * @throws UselessException when there is none
   */
  @SuppressWarnings("restricted")
  MethodHandle function(String name, MemoryLayout... parameters) {
    MemorySegment address =
        symbols
            .find(name)
            .orElseThrow(
                () -> new UselessException("has no " + name + ": it is no " + library + " of 12"));
    return Linker.nativeLinker()
        .downcallHandle(address, FunctionDescriptor.of(JAVA_INT, parameters));
  }

  /** What a call returns. */
  static int status(Call call) {
    try {
      return call.status();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Makes a call that has to succeed.
   *
   * @param what the name of the function
   * @throws BackendException when it does not
   */
  void check(String what, Call call) {
    check(what, status(call));
  }

  /**
   * Refuses a status that is not success.
   *
   * @param what the name of the function
   */
  void check(String what, int status) {
    if (status != 0) {
      throw new BackendException(
          status == ALLOC_FAILED ? ErrorKind.MEMORY : ErrorKind.RUNTIME,
          "%s of %s failed with %s\n  what to do: use the project's own kernels with -D%s=%s"
              .formatted(what, library, nameOf(status), setting, Cublas.OFF));
    }
  }

  private static String nameOf(int status) {
    return switch (status) {
      case 1 -> "CUBLAS_STATUS_NOT_INITIALIZED";
      case ALLOC_FAILED -> "CUBLAS_STATUS_ALLOC_FAILED";
      case 7 -> "CUBLAS_STATUS_INVALID_VALUE";
      case 8 -> "CUBLAS_STATUS_ARCH_MISMATCH";
      case 11 -> "CUBLAS_STATUS_MAPPING_ERROR";
      case 13 -> "CUBLAS_STATUS_EXECUTION_FAILED";
      case 14 -> "CUBLAS_STATUS_INTERNAL_ERROR";
      case NOT_SUPPORTED -> "CUBLAS_STATUS_NOT_SUPPORTED";
      default -> "status " + status;
    };
  }

  /**
   * The library's version.
   *
   * @param name the function that gives MAJOR_VERSION, MINOR_VERSION and PATCH_LEVEL by number
   */
  Version version(String name) {
    MethodHandle property = function(name, JAVA_INT, ADDRESS);
    int[] parts = new int[3];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointer = arena.allocate(JAVA_INT);
      for (int i = 0; i < parts.length; i++) {
        int which = i;
        check(name, () -> (int) property.invokeExact(which, pointer));
        parts[i] = pointer.get(JAVA_INT, 0);
      }
    }
    return new Version(library, parts[0], parts[1], parts[2]);
  }

  /** The version of a library. */
  record Version(String library, int major, int minor, int patch) {
    /**
     * Checks that a driver can be used with the library, which must not be of a later major
     * version.
     *
     * @param driverVersion the newest version of CUDA that the driver knows, such as 12060
     * @throws UselessException when it cannot
     */
    void requireDriver(int driverVersion) {
      int known = driverVersion / 1000;
      if (major > known) {
        throw new UselessException(this + " needs a newer driver than this one of CUDA " + known);
      }
    }

    /** Such as {@code cuBLAS 12.6.4}. */
    @Override
    public String toString() {
      return library + " " + major + "." + minor + "." + patch;
    }
  }
}
