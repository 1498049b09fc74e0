package org.relaxvm.api.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** What to say when the file system refuses. */
final class FileErrors {
  private FileErrors() {}

  static MalformedFileException unreadable(Path file, IOException cause) {
    return new MalformedFileException(
        ErrorKind.IO, "cannot read " + file + ": " + reason(file, cause), cause);
  }

  static MalformedFileException unwritable(Path file, IOException cause) {
    return new MalformedFileException(
        ErrorKind.IO, "cannot write " + file + ": " + reason(file, cause), cause);
  }

  private static String reason(Path file, IOException cause) {
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    return switch (cause) {
      case NoSuchFileException _ -> "no such file or folder";
      case AccessDeniedException _ -> "permission denied";
      default -> cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
    };
  }

  /** Opens an archive; one that is damaged is told apart from one that cannot be read. */
  static ZipFile openZip(Path file) throws IOException {
    try {
      return new ZipFile(file.toFile());
    } catch (ZipException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          "malformed .npz file " + file + ": it is no readable zip archive: " + e.getMessage(),
          e);
    }
  }
}
