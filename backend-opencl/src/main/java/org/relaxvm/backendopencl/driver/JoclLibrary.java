package org.relaxvm.backendopencl.driver;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jocl.CL;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Loads the native part of JOCL, and with it the loader of OpenCL. Stateless.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why does JOCL get a private folder for its
 * native library?"
 */
final class JoclLibrary {
  private static final String TEMPORARY = "java.io.tmpdir";

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

  /**
   * Initializes JOCL, which takes its native library out of the jar. By itself it loads whatever
   * lies under a fixed name in the folder for temporary files, which others can write to. So it is
   * shown another folder meanwhile, which only we can write to. (With its own setting for unique
   * names, {@code uniqueLibraryNames}, a JVM that is killed leaves the file behind.)
   *
   * <p>Guarded, so that two threads do not set and restore the property in each other's way.
   */
  private static synchronized void initialize() throws IOException {
    String before = System.getProperty(TEMPORARY);
    Path own = Files.createTempDirectory("relaxvm-jocl-");
    System.setProperty(TEMPORARY, own.toString());
    try {
      // Whatever comes first initializes the class.
      CL.stringFor_errorCode(CL.CL_SUCCESS);
    } finally {
      System.setProperty(TEMPORARY, before);
      delete(own);
    }
  }

  /** What was loaded is not needed as a file any more, but where files in use cannot be deleted. */
  private static void delete(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = Stream.concat(found, Stream.of(folder)).toList();
    }
    for (Path file : files) {
      try {
        Files.delete(file);
      } catch (IOException _) {
        file.toFile().deleteOnExit();
      }
    }
  }

  private static BackendException unusable(Throwable error) {
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
            + error.toString().lines().findFirst().orElse("")
            + "\n  what to do: see to it that files can be written to and run from the folder "
            + System.getProperty(TEMPORARY)
            + ", or name another with -Djava.io.tmpdir=",
        error);
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
