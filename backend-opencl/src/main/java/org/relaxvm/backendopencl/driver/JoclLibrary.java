package org.relaxvm.backendopencl.driver;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import org.jocl.CL;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendsupport.gpu.device.NativeLibraries;

/**
 * Loads the native part of JOCL, and with it the loader of OpenCL. Stateless.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why does JOCL get a private folder for its
 * native library?"
 */
final class JoclLibrary {
  /** What JOCL says when its own library was loaded, and that of OpenCL was not. */
  private static final String NO_LOADER = "Could not initialize native OpenCL library";

  private JoclLibrary() {}

  static void load() {
    // JOCL would print that there is no loader, and the output of programs is not its to write to.
    if (System.getProperty("os.name").equals("Linux") && !hasLoader()) {
      throw noLoader(null);
    }
    try {
      // Whatever comes first initializes the class. With JOCL's own setting for unique names,
      // uniqueLibraryNames, a JVM that is killed does not delete the file.
      NativeLibraries.initialize("jocl", () -> CL.stringFor_errorCode(CL.CL_SUCCESS));
    } catch (LinkageError | IOException e) {
      throw unusable(e);
    }
  }

  @SuppressWarnings("restricted")
  private static boolean hasLoader() {
    for (String name : List.of("libOpenCL.so.1", "libOpenCL.so")) {
      try (Arena arena = Arena.ofConfined()) {
        SymbolLookup.libraryLookup(name, arena);
        return true;
      } catch (IllegalArgumentException _) {
        // The next one.
      }
    }
    return false;
  }

  private static BackendException unusable(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(NO_LOADER)) {
        return noLoader(error);
      }
    }
    return NativeLibraries.unusable("JOCL", "", error);
  }

  private static BackendException noLoader(@Nullable Throwable error) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the loader of OpenCL (libOpenCL.so.1, OpenCL.dll) cannot be loaded"
            + "\n  what to do: install it and a driver of the device; on Debian these are the"
            + " packages ocl-icd-libopencl1 and, for the CPU, pocl-opencl-icd",
        error);
  }
}
