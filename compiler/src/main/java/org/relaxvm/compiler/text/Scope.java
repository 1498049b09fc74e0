package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.expr.Var;

/** What the names of a function mean at a position of its text. */
final class Scope {
  private final Set<String> moduleSymbols;
  private final Map<String, RelaxVar> vars = new HashMap<>();
  private final Map<String, Var> symbols = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();

  private record Change(boolean isOfSymbol, Runnable undo) {}

  /**
   * A scope that knows nothing yet.
   *
   * @param moduleSymbols names that stand for a symbol of its own in each function
   */
  Scope(Set<String> moduleSymbols) {
    this.moduleSymbols = moduleSymbols;
  }

  /** A position to come back to with {@link #close}. */
  int open() {
    return changes.size();
  }

  /** Forgets what was defined since. */
  void close(int mark) {
    while (changes.size() > mark) {
      changes.removeLast().undo().run();
    }
  }

  /** Forgets the variables that were defined since, and keeps the symbols. */
  void closeVars(int mark) {
    List<Change> symbolsOnly = new LinkedList<>();
    while (changes.size() > mark) {
      Change last = changes.removeLast();
      if (last.isOfSymbol()) {
        symbolsOnly.addFirst(last);
      } else {
        last.undo().run();
      }
    }
    changes.addAll(symbolsOnly);
  }

  @Nullable RelaxVar var(String name) {
    return vars.get(name);
  }

  /** From now on a name means this variable. */
  void define(String name, RelaxVar var) {
    define(vars, name, var, false);
  }

  /** The symbol of a name; one of the module's begins to be a symbol of the function. */
  @Nullable Var symbol(String name) {
    Var known = symbols.get(name);
    if (known != null || !moduleSymbols.contains(name)) {
      return known;
    }
    Var symbol = Var.index(name);
    symbols.put(name, symbol);
    return symbol;
  }

  /** From now on a name means this symbol. */
  void define(String name, Var symbol) {
    define(symbols, name, symbol, true);
  }

  /** A name becomes a symbol of dtype int64 unless it is one. */
  void defineIfNew(String name) {
    if (symbol(name) == null) {
      define(name, Var.index(name));
    }
  }

  private <T> void define(Map<String, T> names, String name, T thing, boolean isOfSymbol) {
    T before = names.put(name, thing);
    changes.add(
        new Change(
            isOfSymbol,
            () -> {
              if (before == null) {
                names.remove(name);
              } else {
                names.put(name, before);
              }
            }));
  }

  /** The names of variables, in the order of letters. */
  Set<String> varNames() {
    return new TreeSet<>(vars.keySet());
  }

  /** The names of symbols, in the order of letters. */
  Set<String> symbolNames() {
    Set<String> names = new TreeSet<>(symbols.keySet());
    names.addAll(moduleSymbols);
    return names;
  }
}
