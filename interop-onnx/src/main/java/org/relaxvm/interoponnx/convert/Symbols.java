package org.relaxvm.interoponnx.convert;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** The symbolic extents of a model, by the names that it gives them. Not thread-safe. */
final class Symbols {
  private final Map<String, Long> bound;
  private final Map<String, Var> symbols = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> asked = new HashSet<>();

  /** The number that was last added to a name. */
  private final Map<String, Integer> numbers = new HashMap<>();

  /**
   * @param bound numbers for some names
   */
  Symbols(Map<String, Long> bound) {
    this.bound = new HashMap<>(bound);
  }

  /** Binds a name to a number from now on; gives the number that it was bound to, or the same. */
  long bind(String name, long extent) {
    Long before = bound.putIfAbsent(name, extent);
    return before == null ? extent : before;
  }

  /** The names of extents that were asked for. */
  Set<String> asked() {
    return Collections.unmodifiableSet(asked);
  }

  /** The extent of a name: the number it is bound to, or a symbol, the same one each time. */
  PrimExpr named(String name) {
    asked.add(name);
    Long extent = bound.get(name);
    return extent == null
        ? symbols.computeIfAbsent(name, key -> Var.index(unique(key)))
        : IntImm.of(extent);
  }

  /** The symbol of a name, where there is one. */
  Optional<Var> find(String name) {
    return Optional.ofNullable(symbols.get(name));
  }

  /** The names that have a symbol, in alphabetical order. */
  List<String> namedSymbols() {
    return symbols.keySet().stream().sorted().toList();
  }

  /** A symbol of its own; or the number that its name is bound to. */
  PrimExpr fresh(String hint) {
    asked.add(hint);
    Long extent = bound.get(hint);
    return extent == null ? Var.index(unique(hint)) : IntImm.of(extent);
  }

  /** A new symbol. */
  Var symbol(String hint) {
    return Var.index(unique(hint));
  }

  private String unique(String hint) {
    String base = Names.identifier(hint, "n");
    String name = base;
    while (!names.add(name)) {
      name = base + "_" + numbers.merge(base, 1, Integer::sum);
    }
    return name;
  }

  /** The symbols in expressions. */
  static Set<Var> in(List<? extends PrimExpr> expressions) {
    Set<Var> found = new LinkedHashSet<>();
    expressions.forEach(expression -> collect(expression, found));
    return found;
  }

  private static void collect(PrimExpr expression, Set<Var> found) {
    if (expression instanceof Var symbol) {
      found.add(symbol);
    }
    expression.operands().forEach(operand -> collect(operand, found));
  }
}
