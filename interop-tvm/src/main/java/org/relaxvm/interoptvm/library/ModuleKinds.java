package org.relaxvm.interoptvm.library;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoptvm.device.DeviceModuleReader;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ReadOptions;

/** Reads modules by their kind. Source: docs/spec/native-library.md, section 4.3. */
final class ModuleKinds {
  static final String CONST_LOADER = "const_loader";
  private static final String STATIC_LIBRARY = "static_library";
  private static final String JSON_SUFFIX = "_json";
  private static final Set<String> JSON_RUNTIMES =
      Set.of("tensorrt", "clml", "arm_compute_lib", "nnapi");

  private ModuleKinds() {}

  static ModuleContent parse(ModuleNode node, ReadOptions options) {
    String kind = node.kind();
    return switch (kind) {
      case ModuleNode.LIBRARY -> new ModuleContent.LibraryCode();
      case ModuleNode.EXECUTABLE, ModuleNode.OLD_EXECUTABLE ->
          new ModuleContent.ExecutableContent(ExecutableReader.readResult(node.bytes(), options));
      case CONST_LOADER -> ConstLoader.read(node.bytes());
      case STATIC_LIBRARY -> staticLibrary(node.bytes());
      default -> other(node);
    };
  }

  private static ModuleContent other(ModuleNode node) {
    String kind = node.kind();
    if (DeviceModuleReader.KINDS.contains(kind)) {
      return new ModuleContent.DeviceContent(DeviceModuleReader.read(kind, node.bytes()));
    }
    Optional<ModuleContent> runtime =
        JSON_RUNTIMES.contains(kind) || kind.endsWith(JSON_SUFFIX)
            ? jsonRuntime(kind, node.bytes())
            : Optional.empty();
    return runtime.orElseGet(() -> new ModuleContent.Unknown(kind, node.bytes()));
  }

  private static ModuleContent staticLibrary(MemorySegment bytes) {
    ByteCursor in = new ByteCursor(bytes);
    in.section(FormatProblem.of("malformed static library"));
    MemorySegment objects = in.slice(in.count("byte length of the object code", 1), "object code");
    List<String> functions = strings(in, "function name");
    requireEnd(in);
    return new ModuleContent.StaticLibrary(objects, functions);
  }

  /** Empty when the runtime has another format: each may have its own, and none is run here. */
  private static Optional<ModuleContent> jsonRuntime(String kind, MemorySegment bytes) {
    ByteCursor in = new ByteCursor(bytes);
    try {
      String symbol = in.string("symbol");
      String graph = in.string("graph");
      List<String> constants = strings(in, "constant name");
      requireEnd(in);
      return Optional.of(new ModuleContent.JsonRuntime(kind, symbol, graph, constants));
    } catch (MalformedFileException _) {
      return Optional.empty();
    }
  }

  /** Reads a number and so many strings. */
  static List<String> strings(ByteCursor in, String field) {
    int count = in.count("number of " + field + "s", Long.BYTES);
    List<String> strings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      strings.add(in.string(field));
    }
    return strings;
  }

  /** Refuses bytes after the last field. */
  static void requireEnd(ByteCursor in) {
    if (in.remaining() > 0) {
      throw in.fail(
          in.position(),
          "end of the module",
          "no more bytes",
          in.remaining() + " bytes",
          ByteCursor.DAMAGED);
    }
  }
}
