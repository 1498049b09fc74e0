package org.relaxvm.backendsupport.gpu.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/** Loads native libraries that Java bindings extract from their jars. Thread-safe. */
public final class NativeLibraries {
  private static final String TEMPORARY = "java.io.tmpdir";

  /** Guards the property, which belongs to the process. */
  private static final ReentrantLock LOCK = new ReentrantLock();

  private NativeLibraries() {}

  /**
   * Initializes bindings that load whatever lies under a fixed name in the folder for temporary
   * files, which others can write to. During the initialization that folder is another one, which
   * only this user can write to.
   *
   * @param name of the bindings, for the folder
   * @param initialize initializes the class of the bindings
   */
  public static void initialize(String name, Runnable initialize) throws IOException {
    LOCK.lock();
    try {
      String before = System.getProperty(TEMPORARY);
      Path own = Files.createTempDirectory("relaxvm-" + name + "-");
      System.setProperty(TEMPORARY, own.toString());
      try {
        initialize.run();
      } finally {
        System.setProperty(TEMPORARY, before);
        deleteFiles(own);
        delete(own);
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** Deletes the files of a folder: now, or at exit where a loaded library cannot be deleted. */
  public static void deleteFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> found = Files.list(folder)) {
      files = found.toList();
    }
    files.forEach(NativeLibraries::delete);
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException _) {
      file.toFile().deleteOnExit();
    }
  }

  /**
   * The error for bindings whose native library cannot be loaded.
   *
   * @param bindings such as {@code JOCL}
   * @param remedy the first remedy, which ends with a comma and a space; may be empty
   */
  public static BackendException unusable(String bindings, String remedy, Throwable error) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "the native part of "
            + bindings
            + " cannot be loaded on "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.arch")
            + ": "
            + error.toString().lines().findFirst().orElse("")
            + "\n  what to do: "
            + remedy
            + "see to it that files can be written to and run from the folder "
            + System.getProperty(TEMPORARY)
            + ", or name another with -Djava.io.tmpdir=",
        error);
  }
}
