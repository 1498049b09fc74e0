package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoponnx.value.Operand;

/**
 * The operators that are supported, and those that are refused, by domain and name. A table may
 * know some operators at once and add the others when one of them is asked for. Immutable;
 * thread-safe.
 */
public final class OperatorTable {
  /** The domain of operators that ONNX Runtime added. */
  public static final String MICROSOFT = "com.microsoft";

  /** The domain of tabular models. */
  public static final String ML = "ai.onnx.ml";

  private final Map<Key, Entry> entries;
  private final Map<Key, Refusal> refusals;
  private final List<String> problems;
  private final @Nullable Supplier<OperatorTable> complete;
  private @Nullable OperatorTable completed;

  private OperatorTable(
      Map<Key, Entry> entries,
      Map<Key, Refusal> refusals,
      List<String> problems,
      @Nullable Supplier<OperatorTable> complete) {
    this.entries = Collections.unmodifiableMap(new TreeMap<>(entries));
    this.refusals = Collections.unmodifiableMap(new TreeMap<>(refusals));
    this.problems = List.copyOf(problems);
    this.complete = complete;
  }

  /** The table with all operators. */
  private synchronized OperatorTable completed() {
    if (complete == null) {
      return this;
    }
    if (completed == null) {
      completed = complete.get();
    }
    return completed;
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

  /**
   * An operator that is known and not supported. Immutable.
   *
   * @param domain the empty string for {@code ai.onnx}
   * @param reason why, and what to do instead
   */
  public record Refusal(String domain, String name, String reason) {}

  /** A builder without operators. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with all of this table. */
  public Builder toBuilder() {
    OperatorTable all = completed();
    Builder builder = new Builder();
    builder.entries.putAll(all.entries);
    builder.refusals.putAll(all.refusals);
    builder.problems.addAll(all.problems);
    return builder;
  }

  /** The operator of a domain and name. */
  public Optional<Entry> find(String domain, String name) {
    Key key = new Key(domain, name);
    Entry entry = entries.get(key);
    return Optional.ofNullable(entry == null ? completed().entries.get(key) : entry);
  }

  /** Why an operator is not supported, where that is known. */
  public Optional<String> refusal(String domain, String name) {
    return Optional.ofNullable(completed().refusals.get(new Key(domain, name)))
        .map(Refusal::reason);
  }

  /** All operators by domain and name. */
  public Collection<Entry> entries() {
    return completed().entries.values();
  }

  /** All operators that are known and not supported, by domain and name. */
  public Collection<Refusal> refusals() {
    return completed().refusals.values();
  }

  /** Why operators of some jars are missing, one sentence each. */
  public List<String> problems() {
    return problems;
  }

  /** Whether a domain has operators. */
  public boolean hasDomain(String domain) {
    return completed().entries.keySet().stream().anyMatch(key -> key.domain.equals(domain));
  }

  /** Collects operators. Not thread-safe. */
  public static final class Builder {
    private final Map<Key, Entry> entries = new TreeMap<>();
    private final Map<Key, Refusal> refusals = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

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
     * Adds an operator that is not supported. An operator that is added as well is supported.
     *
     * @param reason why, and what to do instead
     */
    public Builder refuse(String domain, String name, String reason) {
      refusals.put(new Key(domain, name), new Refusal(domain, name, reason));
      return this;
    }

    /** Adds why operators of a jar are missing. */
    public Builder problem(String sentence) {
      problems.add(sentence);
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

    /** Whether there is an operator. */
    public boolean has(String domain, String name) {
      return entries.containsKey(new Key(domain, name));
    }

    /** The table. */
    public OperatorTable build() {
      return build(null);
    }

    /**
     * The table.
     *
     * @param complete gives a table with these operators, these problems and other operators; it is
     *     called once at most, when what is asked for is not among these
     */
    public OperatorTable build(@Nullable Supplier<OperatorTable> complete) {
      Map<Key, Refusal> refused = new TreeMap<>(refusals);
      refused.keySet().removeAll(entries.keySet());
      return new OperatorTable(entries, refused, problems, complete);
    }
  }
}
