package org.relaxvm.vmcore.program;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** Gets at the content of files. */
final class FileBytes {
  private FileBytes() {}

  /** The content on the heap, so that the file may change afterwards. */
  static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    } catch (IOException e) {
      throw unreadable(path, e);
    } catch (OutOfMemoryError e) {
      throw new MalformedFileException(
          ErrorKind.MEMORY,
          "cannot read "
              + path.toAbsolutePath()
              + ": it does not fit the Java heap; pack it as .rvm, whose constants are mapped",
          e);
    }
  }

  /** The content mapped read-only; the mapping ends when nothing refers to it any more. */
  static MemorySegment map(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    } catch (NoSuchFileException e) {
      throw missing(path, e);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  static MalformedFileException missing(Path path, IOException cause) {
    return new MalformedFileException(
        ErrorKind.IO, "no such file: " + path.toAbsolutePath(), cause);
  }

  private static MalformedFileException unreadable(Path path, IOException cause) {
    return new MalformedFileException(
        ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + cause.getMessage(), cause);
  }
}
