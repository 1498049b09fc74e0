package org.relaxvm.interoponnx.data;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
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
  private final Map<Path, MappedFile> files = new ConcurrentHashMap<>();

  /**
   * @param folder of the model
   */
  public ExternalData(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /**
   * Elements as bytes.
   *
   * @param file that the bytes are a part of, if they are in a file
   */
  record Elements(MemorySegment bytes, Optional<MappedFile> file) {}

  /**
   * The elements of a tensor.
   *
   * @param entries the keys {@code location}, {@code offset} and {@code length}
   * @param bytes that the tensor takes
   * @throws MalformedFileException when the location is refused or not there, or has not these
   *     bytes
   */
  Elements find(Map<String, String> entries, long bytes, String where) {
    String location = entries.get("location");
    if (location == null) {
      throw TensorData.malformed(where, "is in another file, but has no 'location'");
    }
    MappedFile file = file(location, where);
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
    long size = file.bytes().byteSize();
    if (offset > size || length > size - offset) {
      throw TensorData.malformed(
          where,
          "takes "
              + length
              + " bytes from byte "
              + offset
              + " of '"
              + location
              + "', which has "
              + size
              + "\n  what to do: download the file again; it may be cut off");
    }
    return new Elements(file.bytes().asSlice(offset, length), Optional.of(file));
  }

  /**
   * The location of a tensor, if there is no such file.
   *
   * @param entries as for {@link #find}
   */
  Optional<String> missing(Map<String, String> entries) {
    return Optional.ofNullable(entries.get("location"))
        .filter(location -> path(location).filter(file -> !Files.exists(file)).isPresent());
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

  private MappedFile file(String location, String where) {
    Path file = path(location).orElseThrow(() -> refused(location, where));
    try {
      if (!Files.exists(file)) {
        throw missing(file, where);
      }
      Path real = file.toRealPath();
      if (!real.startsWith(folder.toRealPath())) {
        throw refused(location, where);
      }
      if (!Files.isRegularFile(real)) {
        throw TensorData.malformed(where, "is in " + file + ", which is not a regular file");
      }
      MappedFile known = files.get(real);
      return known == null ? files.computeIfAbsent(real, ExternalData::mapped) : known;
    } catch (IOException | UncheckedIOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static MappedFile mapped(Path real) {
    try {
      return MappedFile.open(real, NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A path below the folder, unless the text leads elsewhere. */
  private Optional<Path> path(String location) {
    if (location.isEmpty()
        || location.indexOf('\0') >= 0
        || location.indexOf('\\') >= 0
        || location.startsWith("/")
        || location.startsWith("*")
        || location.matches("(?s)[A-Za-z]:.*")) {
      return Optional.empty();
    }
    Path path;
    try {
      path = Path.of(location);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
    for (Path part : path) {
      if (part.toString().equals("..")) {
        return Optional.empty();
      }
    }
    return Optional.of(folder.resolve(path));
  }

  private static MalformedFileException refused(String location, String where) {
    return TensorData.malformed(
        where,
        "is in the file '"
            + location
            + "'; expected a path below the folder of the model, without '..' and without a link"
            + " that leads out of it\n"
            + "  what to do: put the file beside the model and name it relative to the model");
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
