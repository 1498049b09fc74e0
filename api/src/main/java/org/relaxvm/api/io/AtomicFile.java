package org.relaxvm.api.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes a file so that others see all of it or nothing: the content goes to a temporary file
 * beside it, which then replaces it. Stateless and thread-safe.
 */
public final class AtomicFile {
  private AtomicFile() {}

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface Content {
    /** Writes everything into the channel, which the caller closes. */
    void writeTo(FileChannel channel) throws IOException;
  }

  /**
   * Writes a file.
   *
   * @throws org.relaxvm.api.error.MalformedFileException an {@code IOError} when it cannot be
   *     written; a file that was there before is untouched then
   */
  public static void write(Path file, Content content) {
    Path name = file.getFileName();
    // Files.createTempFile would make a file that only its owner can read.
    Path temporary = file.resolveSibling("." + name + "." + UUID.randomUUID() + ".tmp");
    try {
      try {
        try (FileChannel channel =
            FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          content.writeTo(channel);
          channel.force(true);
        }
        move(temporary, file);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw FileErrors.unwritable(file, e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
