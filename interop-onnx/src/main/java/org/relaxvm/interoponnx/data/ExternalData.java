package org.relaxvm.interoponnx.data;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Elements of tensors in files beside the model. A location is a path below the folder of the
 * model; one that leads elsewhere is refused, whether by its text or by a symbolic link. Each file
 * is mapped once. Thread-safe.
 */
public final class ExternalData {
  private final Path folder;
  private final Map<String, MemorySegment> files = new ConcurrentHashMap<>();

  /**
   * @param folder of the model
   */
  public ExternalData(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /**
   * The elements of a tensor.
   *
   * @param entries the keys {@code location}, {@code offset} and {@code length}
   * @param bytes that the tensor takes
   * @throws MalformedFileException when the location is refused or not there, or has not these
   *     bytes
   */
  MemorySegment find(Map<String, String> entries, long bytes, String where) {
    String location = entries.get("location");
    if (location == null) {
      throw TensorData.malformed(where, "is in another file, but has no 'location'");
    }
    MemorySegment file = files.computeIfAbsent(location, name -> map(file(name, where), where));
    long offset = number(entries, "offset", 0, where);
    long length = number(entries, "length", bytes, where);
    if (length != bytes) {
      throw TensorData.malformed(
          where,
          "has "
              + length
              + " bytes in '"
              + location
              + "'; expected "
              + bytes
              + " by its extents and element type");
    }
    if (offset > file.byteSize() || length > file.byteSize() - offset) {
      throw TensorData.malformed(
          where,
          "takes bytes "
              + offset
              + " to "
              + (offset + length)
              + " of '"
              + location
              + "', which has "
              + file.byteSize()
              + "\n  what to do: download the file again; it may be cut off");
    }
    return file.asSlice(offset, length);
  }

  /**
   * Whether the file of a tensor is there, for reports.
   *
   * @throws MalformedFileException when the location is refused
   */
  public boolean isThere(String location, String where) {
    return Files.isRegularFile(file(location, where));
  }

  /** The folder of the model. */
  public Path folder() {
    return folder;
  }

  private static long number(Map<String, String> entries, String key, long missing, String where) {
    String text = entries.get(key);
    if (text == null) {
      return missing;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw notANumber(where, key, text);
    }
    throw notANumber(where, key, text);
  }

  private static MalformedFileException notANumber(String where, String key, String text) {
    return TensorData.malformed(
        where, "has the " + key + " '" + text + "'; expected a number, 0 or more");
  }

  private Path file(String location, String where) {
    if (location.isEmpty()
        || location.indexOf('\0') >= 0
        || location.indexOf('\\') >= 0
        || location.startsWith("/")
        || location.startsWith("*")
        || location.matches("[A-Za-z]:.*")) {
      throw refused(location, where);
    }
    Path path;
    try {
      path = Path.of(location);
    } catch (InvalidPathException e) {
      throw refused(location, where);
    }
    for (Path part : path) {
      if (part.toString().equals("..")) {
        throw refused(location, where);
      }
    }
    return folder.resolve(path);
  }

  private static MalformedFileException refused(String location, String where) {
    return TensorData.malformed(
        where,
        "is in the file '"
            + location
            + "'; expected a path below the folder of the model, without '..'\n"
            + "  what to do: put the file beside the model and name it relative to the model");
  }

  private MemorySegment map(Path file, String where) {
    try {
      if (!Files.exists(file)) {
        throw missing(file, where);
      }
      if (!file.toRealPath().startsWith(folder.toRealPath())) {
        throw refused(folder.relativize(file).toString(), where);
      }
      if (!Files.isRegularFile(file)) {
        throw TensorData.malformed(where, "is in " + file + ", which is not a regular file");
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
      }
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static MalformedFileException missing(Path file, String where) {
    return new MalformedFileException(
        ErrorKind.IO,
        where
            + " is in the file "
            + file
            + ", which does not exist\n  what to do: put all files of"
            + " the model into one folder");
  }
}
