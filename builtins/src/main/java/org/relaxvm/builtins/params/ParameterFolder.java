package org.relaxvm.builtins.params;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.host.HostDevice;

/**
 * Folders with parameters: {@code tensor-cache.json}, or {@code ndarray-cache.json} as it was named
 * before, and shard files with the bytes of many tensors each. Without state; thread-safe.
 */
public final class ParameterFolder {
  private ParameterFolder() {}

  /**
   * Reads all tensors. The shards are mapped: tensors that lie on a boundary of 64 bytes are used
   * where they are, so the files must stay, and must not change, as long as tensors are used;
   * others are copied. float32 tensors that are stored as bfloat16 are widened.
   *
   * @return the tensors by name, in the order of the manifest; of two with one name the later one.
   *     They are on the host, constants, and released by the garbage collector
   * @throws org.relaxvm.api.error.RelaxException with the file and what is wrong with it
   */
  public static Map<String, Tensor> read(Path folder) {
    return read(folder, Manifest.FILE_NAMES, ParameterFolder::keep);
  }

  /**
   * Reads all tensors as {@link #read(Path)} does, but those that are stored as bfloat16 stay so:
   * by the manifest {@code tensor-cache-b16.json}, or {@code ndarray-cache-b16.json}.
   *
   * @throws org.relaxvm.api.error.RelaxException also when the folder has no such manifest, because
   *     no tensor is stored as bfloat16
   */
  public static Map<String, Tensor> readBfloat16(Path folder) {
    return read(folder, Manifest.BFLOAT16_FILE_NAMES, ParameterFolder::keep);
  }

  /**
   * Reads all tensors and keeps what {@code transfer} makes of them; nothing is left there when it
   * fails.
   */
  static Map<String, Tensor> read(
      Path folder, List<String> manifests, UnaryOperator<Tensor> transfer) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    boolean done = false;
    try {
      ShardReader reader = new ShardReader(folder, transfer);
      for (ShardRecord shard : Manifest.read(folder, manifests).shards()) {
        reader.read(shard, tensors);
      }
      done = true;
      return Collections.unmodifiableMap(tensors);
    } finally {
      if (!done) {
        tensors.values().forEach(tensor -> tensor.release());
      }
    }
  }

  private static Tensor keep(Tensor host) {
    boolean inPlace = host.segment().address() % HostDevice.ALIGNMENT == 0;
    Tensor kept = inPlace ? host.alias() : host.toHost();
    // Of two tensors in one file one may be copied; neither can be written, so that it is the same.
    kept.markConstant();
    return kept;
  }

  /**
   * Writes tensors as they are, in the order of the map, except that one of 16 MiB or more may come
   * before smaller ones that share a file. Those on a device are copied to the host, strided ones
   * are compacted. The folder is made when it is not there; its manifest appears last, so that a
   * folder with a manifest is complete.
   *
   * @throws MalformedFileException a {@code ValueError} when the folder has a manifest already, an
   *     {@code IOError} when a file cannot be written
   */
  public static void write(Path folder, Map<String, Tensor> tensors) {
    write(folder, tensors, TensorRecord.RAW, ShardWriter.CAP);
  }

  /**
   * Writes tensors as {@link #write} does, but stores float32 ones as bfloat16, in half of the
   * bytes: rounded to the nearest, ties to even; beyond the largest bfloat16 cut off, so that what
   * is finite stays so. A second manifest, {@code tensor-cache-b16.json}, tells of them as
   * bfloat16.
   *
   * @throws MalformedFileException as for {@link #write}
   */
  public static void writeHalved(Path folder, Map<String, Tensor> tensors) {
    write(folder, tensors, TensorRecord.HALVED, ShardWriter.CAP);
  }

  static void write(Path folder, Map<String, Tensor> tensors, String format, long cap) {
    makeFolder(folder);
    ShardWriter writer = new ShardWriter(folder, format, cap);
    tensors.forEach(writer::add);
    ManifestWriter.write(folder, writer.finish());
  }

  private static void makeFolder(Path folder) {
    for (List<String> names : List.of(Manifest.FILE_NAMES, Manifest.BFLOAT16_FILE_NAMES)) {
      for (String name : names) {
        // Shards that an older manifest tells of would be replaced by others of the same names.
        if (Files.exists(folder.resolve(name))) {
          throw new MalformedFileException(
              ErrorKind.VALUE,
              "the folder "
                  + folder
                  + " holds parameters already: it has "
                  + name
                  + "\n  what to do: write into another folder, or remove these");
        }
      }
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot make the folder " + folder + ": " + e, e);
    }
  }
}
