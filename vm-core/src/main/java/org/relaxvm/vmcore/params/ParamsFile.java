package org.relaxvm.vmcore.params;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * Reads and writes {@code .params} files: tensors with names, in order.
 *
 * <p>Source: docs/spec/executable-format.md, section 3. Without state; thread-safe.
 */
public final class ParamsFile {
  private static final long MAGIC = 0xF7E58D4F05049CB7L;
  private static final FormatProblem BAD_FORMAT =
      new FormatProblem("malformed parameters file", "Invalid parameters file format");

  private ParamsFile() {}

  /**
   * Reads a file, which is mapped and must not change while the tensors are used.
   *
   * @return the tensors by name in the order of the file; on the host, read-only, released by the
   *     garbage collector
   * @throws MalformedFileException an {@code IOError} when the file cannot be opened, else as for a
   *     segment
   */
  public static Map<String, Tensor> read(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto()));
    } catch (IOException e) {
      String reason = e instanceof NoSuchFileException ? "there is no such file" : e.getMessage();
      throw new MalformedFileException(
          ErrorKind.IO, "Cannot open " + file.toAbsolutePath() + "\n  reason: " + reason, e);
    }
  }

  /**
   * Reads the bytes of a file; the tensors may share them.
   *
   * @throws MalformedFileException an {@code InternalError} that names the byte, what was expected
   *     and what is there
   */
  public static Map<String, Tensor> read(MemorySegment bytes) {
    ByteCursor in = new ByteCursor(bytes);
    in.section(BAD_FORMAT);
    long magic = in.i64("magic");
    if (magic != MAGIC) {
      throw in.fail(
          0, "magic", hex(MAGIC), hex(magic), "check that it is a .params file that you named");
    }
    in.i64("reserved word");
    List<String> names = names(in);
    long countAt = in.position();
    long count = in.i64("number of tensors");
    if (count != names.size()) {
      throw in.fail(
          countAt,
          "number of tensors",
          names.size() + ", as many as names",
          Long.toUnsignedString(count),
          ByteCursor.DAMAGED);
    }
    Arena copies = Arena.ofAuto();
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    for (String name : names) {
      in.item("tensor", tensors.size(), count);
      long at = in.position();
      if (tensors.put(name, TensorBlob.read(in, copies)) != null) {
        throw in.fail(at, "name", "each name once", "'" + name + "' again", ByteCursor.DAMAGED);
      }
    }
    return Collections.unmodifiableMap(tensors);
  }

  private static List<String> names(ByteCursor in) {
    int count = in.count("number of names", Long.BYTES);
    List<String> names = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      in.item("name", i, count);
      names.add(in.string("name"));
    }
    in.section(BAD_FORMAT);
    return names;
  }

  /**
   * Writes tensors in the order of the map. One on a device is copied to the host, a strided one is
   * compacted. The file appears complete or not at all, so that tensors read from the one before it
   * stay as they are.
   *
   * @throws MalformedFileException an {@code IOError} when the file cannot be written
   * @throws org.relaxvm.api.error.InvalidProgramException a {@code ValueError} for dtypes that the
   *     format cannot hold
   */
  public static void write(Path file, Map<String, Tensor> tensors) {
    AtomicFile.write(
        file,
        channel -> {
          ByteSink out = ByteSink.to(Channels.newOutputStream(channel));
          out.i64(MAGIC);
          out.i64(0);
          out.i64(tensors.size());
          for (String name : tensors.keySet()) {
            out.string(name);
          }
          out.i64(tensors.size());
          for (Tensor tensor : tensors.values()) {
            TensorBlob.write(out, tensor);
          }
          out.flush();
        });
  }

  private static String hex(long word) {
    return "0x" + Long.toHexString(word).toUpperCase(Locale.ROOT);
  }
}
