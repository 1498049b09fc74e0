package org.relaxvm.backendopencl.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.List;
import org.jocl.CL;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/** Loads the native part of JOCL, and with it the loader of OpenCL. Stateless. */
final class JoclLibrary {
  /**
   * Read by JOCL while it is loaded. Without it, JOCL loads whatever lies under a fixed name in the
   * folder for temporary files, which others can write; with it, it writes a file with a random
   * name, and deletes it when the JVM ends.
   */
  private static final String UNIQUE_NAMES = "uniqueLibraryNames";

  /** What JOCL says when its own library was loaded, and that of OpenCL was not. */
  private static final String NO_LOADER = "Could not initialize native OpenCL library";

  private JoclLibrary() {}

  static void load() {
    // JOCL would print that there is no loader, and the output of programs is not its to write to.
    if (System.getProperty("os.name").equals("Linux") && !hasLoader()) {
      throw noLoader(null);
    }
    try {
      initialize();
    } catch (LinkageError e) {
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

  /** Guarded, so that two threads do not set and restore the property in each other's way. */
  private static synchronized void initialize() {
    String before = System.getProperty(UNIQUE_NAMES);
    System.setProperty(UNIQUE_NAMES, "true");
    try {
      // Whatever comes first initializes the class.
      CL.stringFor_errorCode(CL.CL_SUCCESS);
    } finally {
      if (before == null) {
        System.clearProperty(UNIQUE_NAMES);
      } else {
        System.setProperty(UNIQUE_NAMES, before);
      }
    }
  }

  private static BackendException unusable(LinkageError error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(NO_LOADER)) {
        return noLoader(error);
      }
    }
    return new BackendException(
        ErrorKind.RUNTIME,
        "the native part of JOCL cannot be loaded on "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch")
            + ": "
            + String.valueOf(error.getMessage()).lines().findFirst().orElse("no reason given")
            + "\n  what to do: see to it that files can be written to and run from the folder "
            + System.getProperty("java.io.tmpdir")
            + ", or name another with -Djava.io.tmpdir=",
        error);
  }

  private static BackendException noLoader(@Nullable LinkageError error) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the loader of OpenCL (libOpenCL.so.1, OpenCL.dll) cannot be loaded"
            + "\n  what to do: install it and a driver of the device; on Debian these are the"
            + " packages ocl-icd-libopencl1 and, for the CPU, pocl-opencl-icd",
        error);
  }
}
