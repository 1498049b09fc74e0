package org.relaxvm.compiler.objects;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.objects.graph.JsonLayout;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.release.ReleaseConversion;
import org.relaxvm.objects.release.ReleasedGraph;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/**
 * Modules in the JSON text that Apache TVM saves and loads, of each release since 0.22. The release
 * of a text is found by its types and its metadata.
 *
 * <p>Stateless; safe for concurrent use. Source: docs/spec/object-system.md, sections 4, 5 and 7.
 */
public final class ModuleJson {
  private ModuleJson() {}

  /**
   * Reads a file, and checks the module.
   *
   * @throws org.relaxvm.api.error.MalformedFileException if it is no graph of objects
   * @throws InvalidProgramException as {@link ModuleObjects#read}, with paths in the module as one
   *     of the newest release; or if that has no counterpart of an object
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  public static IRModule load(Path file) {
    return module(ReleasedGraph.read(file));
  }

  /**
   * Reads a text, and checks the module.
   *
   * @throws org.relaxvm.api.error.MalformedFileException if it is no graph of objects
   * @throws InvalidProgramException as {@link #load}
   */
  public static IRModule parse(String text) {
    return module(ReleasedGraph.parse(text));
  }

  private static IRModule module(ReleasedGraph graph) {
    Object root = graph.upgraded(ObjectTypes.discover());
    if (root == null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the graph is null; expected a module: ir.IRModule");
    }
    return ModuleObjects.read(root);
  }

  /**
   * Writes a file for the newest release, which is there as a whole or not at all.
   *
   * @throws InvalidProgramException as {@link ModuleObjects#write}
   */
  public static void save(IRModule module, Path file) {
    save(module, TvmRelease.newest(), file);
  }

  /**
   * Writes a file, which is there as a whole or not at all.
   *
   * @param release that reads the file
   * @throws InvalidProgramException as {@link ModuleObjects#write}; or if the release has no
   *     counterpart of an object, with all paths
   */
  public static void save(IRModule module, TvmRelease release, Path file) {
    ObjectTypes types = TvmSchema.of(release).objectTypes();
    ObjectGraph graph = graph(module, release, types);
    AtomicFile.write(file, channel -> write(graph, types, layout(release), channel));
  }

  private static void write(
      ObjectGraph graph, ObjectTypes types, JsonLayout layout, WritableByteChannel channel)
      throws IOException {
    graph.write(Channels.newOutputStream(channel), types, layout);
  }

  /**
   * The text of a module for the newest release.
   *
   * @throws InvalidProgramException as {@link ModuleObjects#write}
   */
  public static String toJson(IRModule module) {
    return toJson(module, TvmRelease.newest());
  }

  /**
   * The text of a module.
   *
   * @param release that reads the text
   * @throws InvalidProgramException as {@link #save(IRModule, TvmRelease, Path)}
   */
  public static String toJson(IRModule module, TvmRelease release) {
    ObjectTypes types = TvmSchema.of(release).objectTypes();
    return graph(module, release, types).toJson(types, layout(release));
  }

  private static JsonLayout layout(TvmRelease release) {
    return release.isIndented() ? JsonLayout.INDENTED : JsonLayout.COMPACT;
  }

  private static ObjectGraph graph(IRModule module, TvmRelease release, ObjectTypes types) {
    Object newest =
        ModuleObjects.write(
            module, release == TvmRelease.newest() ? types : ObjectTypes.discover());
    @Nullable Object root = ReleaseConversion.downgrade(newest, release, types);
    return new ObjectGraph(Objects.requireNonNull(root), release.metadata());
  }
}
