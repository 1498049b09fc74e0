package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Range;

/** What the names of a kernel mean at a position of its text. */
final class Scope {
  private static final int SHOWN = 20;

  private record Saved(String name, @Nullable Object before) {}

  private final Set<String> symbols;
  private final Map<String, Object> things = new HashMap<>();
  private final Set<String> declared = new HashSet<>();
  private final List<Saved> saved = new ArrayList<>();
  private final Map<Buffer, Integer> depths = new IdentityHashMap<>();
  private final Map<Var, Range> loops = new IdentityHashMap<>();

  /**
   * A scope that knows nothing yet.
   *
   * @param symbols names that are int64 variables where nothing else has them
   */
  Scope(Set<String> symbols) {
    this.symbols = symbols;
  }

  /** A position to come back to with {@link #close}. */
  int open() {
    return saved.size();
  }

  /** Forgets what was defined since. */
  void close(int mark) {
    while (saved.size() > mark) {
      Saved last = saved.removeLast();
      if (last.before() == null) {
        things.remove(last.name());
      } else {
        things.put(last.name(), last.before());
      }
    }
  }

  @Nullable Object find(String name) {
    return things.get(name);
  }

  /** What a name means where it is used: a symbol of the surroundings begins to be a variable. */
  @Nullable Object use(String name) {
    Object known = find(name);
    if (known != null || !symbols.contains(name)) {
      return known;
    }
    Var symbol = Var.index(name);
    things.put(name, symbol);
    return symbol;
  }

  void define(String name, Object thing) {
    saved.add(new Saved(name, things.put(name, thing)));
  }

  /** Defines a name that stays: what is defined by it again is the same thing. */
  void declare(String name, Object thing) {
    define(name, thing);
    declared.add(name);
  }

  boolean isDeclared(String name) {
    return declared.contains(name);
  }

  /** How deep the extents of a buffer are; see {@link Limits#EXPRESSION_DEPTH}. */
  int depth(Buffer buffer) {
    return depths.getOrDefault(buffer, 0);
  }

  void setDepth(Buffer buffer, int depth) {
    depths.put(buffer, depth);
  }

  /** The bounds of a loop around this position. */
  @Nullable Range loop(Var counter) {
    return loops.get(counter);
  }

  void setLoop(Var counter, Range bounds) {
    loops.put(counter, bounds);
  }

  /** The names that mean something here. */
  String existing() {
    Set<String> names = new HashSet<>(things.keySet());
    names.addAll(symbols);
    return listed(names);
  }

  /** Names in order, some of them when there are many. */
  static String listed(Set<String> names) {
    List<String> sorted = List.copyOf(new TreeSet<>(names));
    String text = String.join(", ", sorted.subList(0, Math.min(SHOWN, sorted.size())));
    int more = sorted.size() - SHOWN;
    return names.isEmpty() ? "nothing" : more > 0 ? text + " and " + more + " more" : text;
  }
}
