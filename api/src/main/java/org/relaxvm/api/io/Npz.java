package org.relaxvm.api.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Reads and writes {@code .npz} files, NumPy's archives of named arrays: a zip of {@code .npy}
 * entries, stored or deflated.
 *
 * <p>Element types and errors are those of {@link Npy}. Stateless and thread-safe.
 */
public final class Npz {
  /** The most that {@link #read(Path)} takes, in bytes of elements: 16 GiB. */
  public static final long DEFAULT_MAX_BYTES = 16L << 30;

  private Npz() {}

  /** Reads all arrays, in the order of the archive, by their names without {@code .npy}. */
  public static Map<String, Tensor> read(Path file) {
    return read(file, DEFAULT_MAX_BYTES);
  }

  /**
   * Reads all arrays, in the order of the archive, by their names without {@code .npy}.
   *
   * @param maxBytes the most that the elements of all arrays together may take
   * @return an unmodifiable map; the tensors are in host memory
   * @throws MalformedFileException an {@code IOError} when the file cannot be read, a {@code
   *     ValueError} when it is no such archive, is damaged, has two entries of one name, or has
   *     larger arrays than allowed
   */
  public static Map<String, Tensor> read(Path file, long maxBytes) {
    NpzEntryReader reader = new NpzEntryReader(file, maxBytes);
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    try (ZipFile zip = FileErrors.openZip(file)) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = arrayName(file, entry.getName());
        if (tensors.containsKey(name)) {
          throw malformed(file, "it has two arrays named '" + name + "'");
        }
        tensors.put(name, reader.read(zip, entry));
      }
    } catch (IOException e) {
      throw FileErrors.unreadable(file, e);
    }
    return Collections.unmodifiableMap(tensors);
  }

  /**
   * Writes arrays in the order of the map, not compressed. The file appears complete or not at all,
   * and the same tensors give the same bytes.
   *
   * @param tensors by name; on any device and with any strides
   * @throws MalformedFileException an {@code IOError} when the file cannot be written
   */
  public static void write(Path file, Map<String, Tensor> tensors) {
    AtomicFile.write(file, channel -> NpzWriter.write(channel, tensors, false));
  }

  /** As {@link #write}, deflated: smaller and slower. */
  public static void writeCompressed(Path file, Map<String, Tensor> tensors) {
    AtomicFile.write(file, channel -> NpzWriter.write(channel, tensors, true));
  }

  private static String arrayName(Path file, String entry) {
    if (!entry.endsWith(".npy") || entry.length() == ".npy".length()) {
      throw malformed(
          file, "its entry '" + entry + "' is no array; expected only names that end in .npy");
    }
    return entry.substring(0, entry.length() - ".npy".length());
  }

  static MalformedFileException malformed(Path file, String what) {
    return new MalformedFileException(ErrorKind.VALUE, "malformed .npz file " + file + ": " + what);
  }
}
