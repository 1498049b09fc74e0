package org.relaxvm.objects.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.object.ObjectDeclaration;

/**
 * The types of a release, and the names of its operators and kinds of targets. Read once from a
 * table; thread-safe.
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

  private final List<ObjectDeclaration> types;
  private final Map<String, String> attributes;

  private TvmSchema(List<ObjectDeclaration> types, Map<String, String> attributes) {
    this.types = types;
    this.attributes = attributes;
  }

  /** The schema of a release. */
  public static TvmSchema of(TvmRelease release) {
    synchronized (SCHEMAS) {
      return SCHEMAS.computeIfAbsent(release, TvmSchema::read);
    }
  }

  private static TvmSchema read(TvmRelease release) {
    List<ObjectDeclaration> types = SchemaTable.parse(lines("types-" + release.text() + ".txt"));
    Map<String, String> attributes = new LinkedHashMap<>();
    for (String line : lines("operators-" + release.text() + ".txt")) {
      String[] words = line.split(" ", 2);
      attributes.put(words[0], words.length == 1 ? "" : words[1]);
    }
    return new TvmSchema(types, attributes);
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

  /** The names that objects of some types can have, by type key. */
  public Map<String, Set<String>> names() {
    Map<String, Set<String>> names = new HashMap<>();
    names.put(OPERATOR, new LinkedHashSet<>(attributes.keySet()));
    names.put(TARGET_KIND, TARGET_KINDS);
    return names;
  }

  /**
   * The key of the attributes of an operator; empty if it has none, or there is no such operator.
   */
  public String attributesOf(String operator) {
    return attributes.getOrDefault(operator, "");
  }
}
