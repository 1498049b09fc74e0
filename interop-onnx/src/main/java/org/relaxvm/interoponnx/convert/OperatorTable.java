package org.relaxvm.interoponnx.convert;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoponnx.value.Operand;

/** The operators that are supported, by domain and name. Immutable. */
public final class OperatorTable {
  /** The domain of operators that ONNX Runtime added. */
  public static final String MICROSOFT = "com.microsoft";

  /** The domain of tabular models. */
  public static final String ML = "ai.onnx.ml";

  private final Map<Key, Entry> entries;

  private OperatorTable(Map<Key, Entry> entries) {
    this.entries = Collections.unmodifiableMap(entries);
  }

  private record Key(String domain, String name) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::domain).thenComparing(Key::name);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** A rule that computes a result while the model is imported, where its operands are known. */
  @FunctionalInterface
  public interface Fold {
    /** The result, or empty where it is not known. */
    Optional<Operand> fold(NodeContext node);
  }

  /**
   * An operator. Immutable.
   *
   * @param domain the empty string for {@code ai.onnx}
   * @param since the first version of the domain that has it
   */
  public record Entry(
      String domain, String name, int since, Converter converter, @Nullable Fold fold) {}

  /** A builder without operators. */
  public static Builder builder() {
    return new Builder();
  }

  /** The operator of a domain and name. */
  public Optional<Entry> find(String domain, String name) {
    return Optional.ofNullable(entries.get(new Key(domain, name)));
  }

  /** All operators by domain and name. */
  public Collection<Entry> entries() {
    return entries.values();
  }

  /** Whether a domain has operators. */
  public boolean hasDomain(String domain) {
    return entries.keySet().stream().anyMatch(key -> key.domain.equals(domain));
  }

  /** Collects operators. Not thread-safe. */
  public static final class Builder {
    private final Map<Key, Entry> entries = new TreeMap<>();

    private Builder() {}

    /** Adds an operator of {@code ai.onnx}. */
    public Builder add(String name, int since, Converter converter) {
      return add(new Entry("", name, since, converter, null));
    }

    /** Adds an operator of {@code ai.onnx} that is computed where its operands are known. */
    public Builder add(String name, int since, Converter converter, Fold fold) {
      return add(new Entry("", name, since, converter, fold));
    }

    /** Adds an operator of a domain, since its first version. */
    public Builder add(String domain, String name, Converter converter) {
      return add(new Entry(domain, name, 1, converter, null));
    }

    /**
     * Adds an operator.
     *
     * @throws IllegalArgumentException when there is one of this domain and name
     */
    public Builder add(Entry entry) {
      if (entries.putIfAbsent(new Key(entry.domain, entry.name), entry) != null) {
        throw new IllegalArgumentException("two operators " + entry.domain + " " + entry.name);
      }
      return this;
    }

    /**
     * Replaces the rule of an operator of {@code ai.onnx} by one that is made from it.
     *
     * @throws IllegalArgumentException when there is no such operator
     */
    public Builder extend(String name, UnaryOperator<Converter> extension) {
      Entry old = entries.get(new Key("", name));
      if (old == null) {
        throw new IllegalArgumentException("there is no operator " + name + " that is extended");
      }
      entries.put(
          new Key("", name),
          new Entry("", name, old.since, extension.apply(old.converter), old.fold));
      return this;
    }

    /** Whether there is an operator of {@code ai.onnx}. */
    public boolean has(String name) {
      return entries.containsKey(new Key("", name));
    }

    /** The table. */
    public OperatorTable build() {
      return new OperatorTable(entries);
    }
  }
}
