package org.relaxvm.objects.release;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/**
 * A graph of any release, with the types of the release. Immutable; thread-safe as far as the graph
 * is.
 *
 * @param graph as it was read
 * @param release that its types are of
 * @param types of the release
 */
public record ReleasedGraph(ObjectGraph graph, TvmRelease release, ObjectTypes types) {
  /**
   * Reads a text.
   *
   * @throws org.relaxvm.api.error.MalformedFileException if it is no graph of objects
   */
  public static ReleasedGraph parse(String text) {
    Choice choice = new Choice();
    return choice.of(ObjectGraph.parse(text, choice::types));
  }

  /**
   * Reads a file.
   *
   * @throws org.relaxvm.api.error.MalformedFileException if it is no graph of objects
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  public static ReleasedGraph read(Path file) {
    Choice choice = new Choice();
    return choice.of(ObjectGraph.read(file, choice::types));
  }

  /**
   * The root as an object of the newest release.
   *
   * @param newest types of the newest release
   * @throws org.relaxvm.api.error.InvalidProgramException as {@link ReleaseConversion#upgrade}
   */
  public @Nullable Object upgraded(ObjectTypes newest) {
    return ReleaseConversion.upgrade(graph.root(), release, newest);
  }

  /** The release that a text says it is of, and its types. */
  private static final class Choice {
    private TvmRelease release = TvmRelease.newest();
    private @Nullable ObjectTypes chosen;

    ObjectTypes types(Set<String> keys, Map<String, Object> metadata) {
      release = TvmRelease.of(keys, metadata);
      chosen = TvmSchema.of(release).objectTypes();
      return chosen;
    }

    ReleasedGraph of(ObjectGraph graph) {
      return new ReleasedGraph(graph, release, Objects.requireNonNull(chosen));
    }
  }
}
