package org.relaxvm.compiler.objects;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.objects.graph.ObjectGraph;

/**
 * Modules in the JSON text that Apache TVM 0.26 saves and loads.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/object-system.md, sections 4, 5 and 7.
 */
public final class ModuleJson {
  private static final String VERSION = "0.26.0";

  private ModuleJson() {}

  /**
   * Reads a file, and checks the module.
   *
   * @throws org.relaxvm.api.error.MalformedFileException if it is no graph of objects
   * @throws InvalidProgramException as {@link ModuleObjects#read}
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  public static IRModule load(Path file) {
    return module(ObjectGraph.read(file, ObjectTypes.discover()).root());
  }

  /**
   * Reads a text, and checks the module.
   *
   * @throws org.relaxvm.api.error.MalformedFileException if it is no graph of objects
   * @throws InvalidProgramException as {@link ModuleObjects#read}
   */
  public static IRModule parse(String text) {
    return module(ObjectGraph.parse(text, ObjectTypes.discover()).root());
  }

  private static IRModule module(@Nullable Object root) {
    if (root == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the graph is null; expected a module: ir.IRModule");
    }
    return ModuleObjects.read(root);
  }

  /**
   * Writes a file, which is there as a whole or not at all.
   *
   * @throws InvalidProgramException as {@link ModuleObjects#write}
   */
  public static void save(IRModule module, Path file) {
    ObjectTypes types = ObjectTypes.discover();
    ObjectGraph graph = graph(module, types);
    AtomicFile.write(file, channel -> write(graph, types, channel));
  }

  private static void write(ObjectGraph graph, ObjectTypes types, WritableByteChannel channel)
      throws IOException {
    graph.write(Channels.newOutputStream(channel), types);
  }

  /**
   * The text of a module, without blanks.
   *
   * @throws InvalidProgramException as {@link ModuleObjects#write}
   */
  public static String toJson(IRModule module) {
    ObjectTypes types = ObjectTypes.discover();
    return graph(module, types).toJson(types);
  }

  private static ObjectGraph graph(IRModule module, ObjectTypes types) {
    return new ObjectGraph(ModuleObjects.write(module, types), Map.of("tvm_version", VERSION));
  }
}
