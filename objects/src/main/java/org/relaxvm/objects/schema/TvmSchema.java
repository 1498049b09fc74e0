package org.relaxvm.objects.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectTypes;

/**
 * The types of a release, and the names of its operators and kinds of targets. Read once from a
 * table, which may be the differences to that of the next newer release; thread-safe.
 *
 * <p>Source: the schema that Apache TVM reflects; docs/spec/object-system.md, section 5.
 */
public final class TvmSchema {
  private static final Map<TvmRelease, TvmSchema> SCHEMAS = new EnumMap<>(TvmRelease.class);
  private static final String OPERATOR = "ir.Op";
  private static final String TARGET_KIND = "target.TargetKind";
  private static final Set<String> TARGET_KINDS =
      Set.of(
          "llvm",
          "c",
          "cuda",
          "nvptx",
          "rocm",
          "opencl",
          "metal",
          "vulkan",
          "webgpu",
          "hexagon",
          "ext_dev",
          "composite",
          "hybrid",
          "test",
          "trn");

  private final TvmRelease release;
  private final List<ObjectDeclaration> types;
  private final Set<String> keys = new LinkedHashSet<>();
  private final Map<String, String> attributes;

  private TvmSchema(
      TvmRelease release, List<ObjectDeclaration> types, Map<String, String> attributes) {
    this.release = release;
    this.types = types;
    this.attributes = attributes;
    types.forEach(type -> keys.add(type.key()));
  }

  /** The schema of a release. */
  public static TvmSchema of(TvmRelease release) {
    synchronized (SCHEMAS) {
      // From the newest on, of which all older ones are differences.
      for (int i = TvmRelease.values().length - 1; i >= release.ordinal(); i--) {
        TvmRelease next = TvmRelease.values()[i];
        if (!SCHEMAS.containsKey(next)) {
          SCHEMAS.put(next, read(next));
        }
      }
      return Objects.requireNonNull(SCHEMAS.get(release));
    }
  }

  private static TvmSchema read(TvmRelease release) {
    TvmSchema newer =
        release == TvmRelease.newest()
            ? null
            : SCHEMAS.get(TvmRelease.values()[release.ordinal() + 1]);
    List<String> lines = lines("types-" + release.text() + ".txt");
    List<ObjectDeclaration> types =
        SchemaTable.parse(lines, newer == null ? List.of() : newer.types);
    Map<String, String> attributes =
        new LinkedHashMap<>(newer == null ? Map.of() : newer.attributes);
    for (String line : lines("operators-" + release.text() + ".txt")) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("-")) {
        attributes.remove(words[1]);
      } else if (words.length == 3) {
        rename(attributes, words[0].replace("*", ""), words[2].replace("*", ""));
      } else {
        attributes.put(words[0], words.length == 1 ? "" : words[1]);
      }
    }
    return new TvmSchema(release, types, attributes);
  }

  private static void rename(Map<String, String> attributes, String from, String to) {
    for (String name : List.copyOf(attributes.keySet())) {
      if (name.startsWith(from)) {
        attributes.put(to + name.substring(from.length()), attributes.remove(name));
      }
    }
  }

  private static List<String> lines(String name) {
    try (InputStream in = TvmSchema.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      List<String> lines = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          lines.add(line);
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The types. */
  public List<ObjectDeclaration> types() {
    return types;
  }

  /**
   * The types of the release as a registry. Types of other jars extend those of the newest release,
   * and are in its registry only.
   *
   * @throws org.relaxvm.api.error.CallException as {@link ObjectTypes#discover()}
   */
  public ObjectTypes objectTypes() {
    return release == TvmRelease.newest() ? ObjectTypes.discover() : ObjectTypes.of(types, names());
  }

  /** The keys of the types. */
  Set<String> keys() {
    return keys;
  }

  /** Whether a release has a type of a key. */
  static boolean isAnyKey(String key) {
    return Arrays.stream(TvmRelease.values()).anyMatch(r -> of(r).keys.contains(key));
  }

  /** The names that objects of some types can have, by type key. */
  public Map<String, Set<String>> names() {
    Map<String, Set<String>> names = new HashMap<>();
    names.put(OPERATOR, new LinkedHashSet<>(attributes.keySet()));
    names.put(TARGET_KIND, TARGET_KINDS);
    return names;
  }

  /** Whether the release has an operator. */
  public boolean hasOperator(String operator) {
    return attributes.containsKey(operator);
  }

  /**
   * The key of the attributes of an operator; empty if it has none, or there is no such operator.
   */
  public String attributesOf(String operator) {
    return attributes.getOrDefault(operator, "");
  }
}
