package org.relaxvm.vmcore.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.spi.KernelEntry;

/**
 * The table of contents of a {@code .rvm} package.
 *
 * @param entries size and digest of every other entry, by name
 * @param constants the constants that lie in entries of their own
 * @param kernels the kernels
 */
record RvmManifest(
    SequencedMap<String, Content> entries, List<Constant> constants, List<Kernel> kernels) {
  static final String NAME = "manifest.json";
  static final String METADATA = "metadata.json";
  static final String PROGRAM = "program.bin";
  static final String FORMAT = "relaxvm-program";
  static final int VERSION = 1;

  /** An entry's size in bytes and its SHA-256 in hexadecimal digits. */
  record Content(long byteSize, String sha256) {}

  /** A constant's index in the pool, and the entry with its elements. */
  record Constant(int index, String entry, DType dtype, Shape shape) {}

  /** Kernels in an entry, and how those of another compiler are launched. */
  record Kernel(
      String entry,
      String device,
      String format,
      List<String> symbols,
      List<KernelEntry> launches) {}

  /** Reads the JSON form; {@code file} is the package's name in messages. */
  static RvmManifest read(String file, String json) {
    JsonObject root = JsonObject.parse(file + ": " + NAME, json);
    checkVersion(file, root);
    SequencedMap<String, Content> entries = new LinkedHashMap<>();
    for (JsonObject item : root.objects("entries")) {
      String name = item.text("name");
      Content content = new Content(item.integer("bytes"), item.text("sha256"));
      if (entries.putLast(name, content) != null) {
        throw item.wrong("name", "unique", name);
      }
    }
    try {
      List<Constant> constants = new ArrayList<>();
      for (JsonObject item : root.objects("constants")) {
        constants.add(constant(item));
      }
      List<Kernel> kernels = new ArrayList<>();
      for (JsonObject item : root.objects("kernels")) {
        kernels.add(
            new Kernel(
                item.text("entry"),
                item.text("device", ""),
                item.text("format"),
                item.texts("symbols"),
                KernelEntryJson.read(item)));
      }
      return new RvmManifest(entries, List.copyOf(constants), List.copyOf(kernels));
    } catch (CallException | InvalidProgramException e) {
      throw new MalformedFileException(ErrorKind.VALUE, file + ": " + NAME + ": " + e.summary(), e);
    }
  }

  /** The JSON form: the same text for equal manifests. */
  String toJson() {
    Map<String, Object> root = JsonObject.fields();
    root.put("format", FORMAT);
    root.put("version", VERSION);
    List<Object> entryItems = new ArrayList<>();
    entries.forEach(
        (name, content) -> {
          Map<String, Object> item = JsonObject.fields();
          item.put("name", name);
          item.put("bytes", content.byteSize());
          item.put("sha256", content.sha256());
          entryItems.add(item);
        });
    root.put("entries", entryItems);
    root.put("constants", constants.stream().map(RvmManifest::constant).toList());
    root.put("kernels", kernels.stream().map(RvmManifest::kernel).toList());
    return JsonObject.format(root);
  }

  private static void checkVersion(String file, JsonObject root) {
    String format = root.text("format", "");
    if (!format.equals(FORMAT)) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          file
              + " is no RelaxVM package: its manifest.json has the format '"
              + format
              + "' instead of '"
              + FORMAT
              + "'");
    }
    long version = root.integer("version");
    if (version > VERSION) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          file
              + " is a package of version "
              + version
              + ", but this RelaxVM reads versions up to "
              + VERSION
              + "; update RelaxVM, or write the package with this release");
    }
    if (version < 1) {
      throw root.wrong("version", "1 or more", version);
    }
  }

  private static Constant constant(JsonObject item) {
    long index = item.integer("index");
    if (index < 0 || index > Integer.MAX_VALUE) {
      throw item.wrong("index", "an index of the constant pool", index);
    }
    long[] dims = item.integers("shape").stream().mapToLong(Long::longValue).toArray();
    return new Constant(
        (int) index, item.text("entry"), DType.parse(item.text("dtype")), Shape.of(dims));
  }

  private static Map<String, Object> constant(Constant constant) {
    Map<String, Object> item = JsonObject.fields();
    item.put("index", constant.index());
    item.put("entry", constant.entry());
    item.put("dtype", constant.dtype().toString());
    item.put("shape", constant.shape().toArray());
    return item;
  }

  private static Map<String, Object> kernel(Kernel kernel) {
    Map<String, Object> item = JsonObject.fields();
    item.put("entry", kernel.entry());
    item.put("device", kernel.device());
    item.put("format", kernel.format());
    item.put("symbols", kernel.symbols());
    KernelEntryJson.write(kernel.launches(), item);
    return item;
  }
}
