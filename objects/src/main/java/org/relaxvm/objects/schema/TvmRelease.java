package org.relaxvm.objects.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** A generation of types: the releases of Apache TVM that have the same. */
public enum TvmRelease {
  /** 0.22 and 0.23. */
  V0_22("0.22", 22),
  /** 0.24. */
  V0_24("0.24", 24),
  /** 0.25. */
  V0_25("0.25", 25),
  /** 0.26 and newer. */
  V0_26("0.26", 26);

  /** The name of the release in the metadata of graphs. */
  public static final String METADATA_KEY = "tvm_version";

  private final String text;
  private final int minor;

  TvmRelease(String text, int minor) {
    this.text = text;
    this.minor = minor;
  }

  /** The newest generation. */
  public static TvmRelease newest() {
    return values()[values().length - 1];
  }

  /** The first release of the generation, as {@code 0.26}. */
  public String text() {
    return text;
  }

  /** The metadata of graphs of the release. */
  public Map<String, Object> metadata() {
    return Map.of(METADATA_KEY, text + ".0");
  }

  /** Whether graphs are written with line breaks: up to 0.24. */
  public boolean isIndented() {
    return compareTo(V0_25) < 0;
  }

  /**
   * The generation of a release.
   *
   * @param version as {@code 0.26} or {@code 0.26.dev0}
   * @throws CallException a {@code ValueError} for another text, or a release that is older than
   *     all generations
   */
  public static TvmRelease parse(String version) {
    String[] parts = version.split("\\.", 3);
    try {
      int minor = Integer.parseInt(parts[1]);
      if (Integer.parseInt(parts[0]) == 0 && minor >= V0_22.minor) {
        return Arrays.stream(values()).filter(r -> r.minor <= minor).toList().getLast();
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new CallException(ErrorKind.VALUE, "malformed release '" + version + "'", e);
    }
    throw new CallException(
        ErrorKind.VALUE,
        "no types of release "
            + version
            + " are known\n  known: "
            + String.join(", ", Arrays.stream(values()).map(TvmRelease::text).toList())
            + " and those that have the same types");
  }

  /**
   * The generation of a graph: the one that has all types of the graph. Where several have, it is
   * the one that the metadata names, or else the newest before it; without metadata, the newest.
   * Where none has, it is the one that lacks the fewest.
   *
   * @param keys of the graph's types
   * @param metadata of the graph; {@code tvm_version} may be missing
   */
  public static TvmRelease of(Set<String> keys, Map<String, ?> metadata) {
    TvmRelease said = said(metadata);
    long fewest = Arrays.stream(values()).mapToLong(r -> r.lacking(keys)).min().orElse(0);
    List<TvmRelease> fitting =
        Arrays.stream(values()).filter(r -> r.lacking(keys) == fewest).toList();
    return fitting.stream()
        .filter(release -> release.compareTo(said) <= 0)
        .reduce((first, second) -> second)
        .orElse(fitting.getFirst());
  }

  private static TvmRelease said(Map<String, ?> metadata) {
    if (metadata.get(METADATA_KEY) instanceof String version) {
      try {
        return parse(version);
      } catch (CallException e) {
        return newest();
      }
    }
    return newest();
  }

  private long lacking(Set<String> keys) {
    Set<String> known = TvmSchema.of(this).keys();
    return keys.stream().filter(key -> !known.contains(key) && TvmSchema.isAnyKey(key)).count();
  }

  @Override
  public String toString() {
    return text;
  }
}
