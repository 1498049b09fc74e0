package org.relaxvm.rpc.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The folder of a session. It is created when it is first needed and deleted with all its content
 * at the end. No name of a client leads out of it.
 */
final class SessionFiles implements AutoCloseable {
  private final long limit;
  private @Nullable Path folder;
  private long used;

  /**
   * Files of a session.
   *
   * @param limit bytes of all files together
   */
  SessionFiles(long limit) {
    this.limit = limit;
  }

  /** The folder. */
  Path folder() {
    Path existing = folder;
    if (existing == null) {
      try {
        // Only the owner of the process can open it.
        existing = Files.createTempDirectory("relaxvm-rpc-").toRealPath();
      } catch (IOException e) {
        throw failed("cannot create a folder for the session", e);
      }
      folder = existing;
    }
    return existing;
  }

  /**
   * The file of a name.
   *
   * @throws CallException a {@code ValueError} when the name leads out of the folder
   */
  Path resolve(String name) {
    Path root = folder();
    Path file;
    try {
      file = root.resolve(name).normalize();
    } catch (InvalidPathException e) {
      throw refused(name, e);
    }
    // An absolute path is accepted where it is in the folder: workpath() gives such paths.
    if (!file.startsWith(root) || file.equals(root) || name.contains("..")) {
      throw refused(name, null);
    }
    return file;
  }

  /** Writes a file, which replaces one of that name. */
  void write(String name, byte[] content) {
    Path file = resolve(name);
    try {
      long replaced = Files.isRegularFile(file) ? Files.size(file) : 0;
      if (used - replaced + content.length > limit) {
        throw new CallException(
            ErrorKind.VALUE,
            "the files of this session may have "
                + limit
                + " bytes together; "
                + used
                + " are used, and "
                + name
                + " has "
                + content.length
                + "\n  what to do: remove files, or start the server with a larger --upload-limit");
      }
      Files.createDirectories(file.getParent());
      Files.write(file, content);
      used += content.length - replaced;
    } catch (IOException e) {
      throw failed("cannot write " + name, e);
    }
  }

  /** The content of a file. */
  byte[] read(String name) {
    Path file = require(name, "Cannot open ");
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw failed("cannot read " + name, e);
    }
  }

  /** The file of a name, which exists. */
  Path require(String name) {
    return require(name, "cannot find file ");
  }

  private Path require(String name, String tvmText) {
    Path file = resolve(name);
    if (!Files.isRegularFile(file)) {
      throw new CallException(
              ErrorKind.IO,
              "this session has no file '"
                  + name
                  + "'; it has "
                  + (list().isEmpty() ? "none" : list())
                  + "\n  what to do: upload it first")
          .withTvmMessage(tvmText + file);
    }
    return file;
  }

  /** Deletes a file; one that is absent is no error. */
  void remove(String name) {
    Path file = resolve(name);
    try {
      long size = Files.isRegularFile(file) ? Files.size(file) : 0;
      if (Files.deleteIfExists(file)) {
        used -= size;
      }
    } catch (IOException e) {
      throw failed("cannot remove " + name, e);
    }
  }

  /** The names of all files, sorted. */
  List<String> list() {
    Path root = folder();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw failed("cannot list the files of the session", e);
    } catch (UncheckedIOException e) {
      throw failed("cannot list the files of the session", Objects.requireNonNull(e.getCause()));
    }
  }

  private static CallException refused(String name, @Nullable InvalidPathException cause) {
    return new CallException(
        ErrorKind.VALUE,
        "'"
            + name
            + "' is no name of a file of this session\n  expected: a relative name without '..'",
        cause);
  }

  private static CallException failed(String what, IOException cause) {
    return new CallException(ErrorKind.IO, what + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    Path root = folder;
    if (root == null) {
      return;
    }
    folder = null;
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              Files.delete(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw failed("cannot delete the folder of the session", e);
    }
  }
}
