package org.relaxvm.rpc.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
  private static final int MAX_ENTRIES = 1 << 16;
  private static final int CHUNK_BYTES = 1 << 20;

  private final long limit;
  private final int maxEntries;
  private @Nullable Path folder;
  private long used;
  private int entries;

  /** Content of a file that is written, in the order of its bytes. */
  @FunctionalInterface
  interface Source {
    /** Fills a part. */
    void read(long offset, MemorySegment target) throws IOException;
  }

  /**
   * Files of a session.
   *
   * @param limit bytes of all files together
   */
  SessionFiles(long limit) {
    this(limit, MAX_ENTRIES);
  }

  /** With a bound on the number of files and folders that are made. */
  SessionFiles(long limit, int maxEntries) {
    this.limit = limit;
    this.maxEntries = maxEntries;
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

  /**
   * Writes a file, which replaces one of that name. Programs that were loaded from that one keep
   * its content.
   */
  void write(String name, long size, Source content) {
    Path file = resolve(name);
    try {
      long replaced = Files.isRegularFile(file) ? Files.size(file) : 0;
      int added = missing(file);
      requireRoom(name, size, used - replaced, added);
      entries += added;
      Files.createDirectories(file.getParent());
      Path part = Files.createTempFile(folder(), "", ".part");
      try {
        copy(size, content, part);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
      used += size - replaced;
    } catch (IOException e) {
      throw failed("cannot write " + name, e);
    }
  }

  /** How many files and folders a path adds. */
  private static int missing(Path file) {
    int count = 0;
    for (Path each = file; each != null && !Files.exists(each); each = each.getParent()) {
      count++;
    }
    return count;
  }

  private void requireRoom(String name, long size, long others, int added) {
    if (size > limit - others) {
      throw new CallException(
          ErrorKind.VALUE,
          "the files of this session may have "
              + limit
              + " bytes together; "
              + used
              + " are used, and "
              + name
              + " has "
              + size
              + "\n  what to do: remove files, or start the server with a larger --upload-limit");
    }
    if (added > maxEntries - entries) {
      throw new CallException(
          ErrorKind.VALUE,
          "a session may make "
              + maxEntries
              + " files and folders; "
              + entries
              + " were made\n  what to do: begin a new session");
    }
  }

  private static void copy(long size, Source content, Path target) throws IOException {
    try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(Math.clamp(size, 1, CHUNK_BYTES));
      for (long at = 0; at < size; at += CHUNK_BYTES) {
        MemorySegment part = chunk.asSlice(0, Math.min(CHUNK_BYTES, size - at));
        content.read(at, part);
        for (ByteBuffer bytes = part.asByteBuffer(); bytes.hasRemaining(); ) {
          channel.write(bytes);
        }
      }
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
        entries--;
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
