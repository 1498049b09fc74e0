package org.relaxvm.tir.fuse;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * Learns the values of the variables of a kernel from what stands where it expects something.
 * Variables that stand alone come first; others are bound from expressions of one form. Then all
 * must be able to be equal.
 *
 * <p>Source: docs/spec/passes.md, section 6.
 */
final class SymbolMatch {
  private final BiFunction<ErrorKind, String, InvalidProgramException> problem;
  private final List<Pair> pairs = new ArrayList<>();
  private final Map<Var, PrimExpr> values = new LinkedHashMap<>();

  /**
   * Nothing yet.
   *
   * @param problem makes an error of what is wrong
   */
  SymbolMatch(BiFunction<ErrorKind, String, InvalidProgramException> problem) {
    this.problem = problem;
  }

  /** What a kernel expects, and what is there. */
  private record Pair(String where, PrimExpr expected, PrimExpr actual) {}

  /**
   * Adds a pair of one dtype.
   *
   * @param where as in {@code extent 0 of A}
   */
  void add(String where, PrimExpr expected, PrimExpr actual) {
    if (!expected.dtype().equals(actual.dtype())) {
      throw problem.apply(
          ErrorKind.TYPE, where + " is " + expected.dtype() + ", but got " + actual.dtype());
    }
    pairs.add(new Pair(where, expected, actual));
  }

  /** The values of all variables that the kernel expects somewhere. */
  Map<Var, PrimExpr> solve() {
    for (Pair pair : pairs) {
      if (pair.expected() instanceof Var var) {
        values.putIfAbsent(var, pair.actual());
      }
    }
    pairs.forEach(pair -> learn(pair, pair.expected(), pair.actual()));
    pairs.forEach(this::check);
    return values;
  }

  private void learn(Pair pair, PrimExpr expected, PrimExpr actual) {
    if (unknown(expected).isEmpty()) {
      boolean differs =
          expected instanceof IntImm && actual instanceof IntImm && !expected.equals(actual);
      if (differs) {
        throw mismatch(pair, "");
      }
    } else if (expected instanceof Var var) {
      values.put(var, actual);
    } else if (sameForm(expected, actual)) {
      for (int i = 0; i < expected.operands().size(); i++) {
        learn(pair, expected.operands().get(i), actual.operands().get(i));
      }
    }
  }

  private static boolean sameForm(PrimExpr a, PrimExpr b) {
    return a.getClass().equals(b.getClass())
        && a.dtype().equals(b.dtype())
        && a.operands().size() == b.operands().size()
        && !(a instanceof Binary x && b instanceof Binary y && x.op() != y.op())
        && !(a instanceof Call u && b instanceof Call v && u.op() != v.op());
  }

  private Set<Var> unknown(PrimExpr expr) {
    Set<Var> found = new LinkedHashSet<>();
    if (expr instanceof Var var && !values.containsKey(var)) {
      found.add(var);
    }
    expr.operands().forEach(operand -> found.addAll(unknown(operand)));
    return found;
  }

  private void check(Pair pair) {
    Set<Var> unknown = unknown(pair.expected());
    if (!unknown.isEmpty()) {
      throw problem.apply(
          ErrorKind.VALUE,
          pair.where()
              + " is "
              + Dims.text(pair.expected())
              + ", and the value of "
              + unknown.iterator().next()
              + " cannot be found from "
              + Dims.text(pair.actual())
              + "\n  what to do: pass it as a scalar, or have it as an extent alone");
    }
    PrimExpr expected = Substitution.in(pair.expected(), values);
    boolean same = expected.equals(pair.actual());
    if (!same
        && !expected.dtype().isFloat()
        && new Analyzer().simplify(Exprs.eq(expected, pair.actual())) instanceof IntImm known
        && known.value() == 0) {
      String here =
          pair.expected() instanceof IntImm ? "" : ", which is " + Dims.text(expected) + " here";
      throw mismatch(pair, here);
    }
  }

  private InvalidProgramException mismatch(Pair pair, String here) {
    return problem.apply(
        ErrorKind.VALUE,
        pair.where()
            + " is "
            + Dims.text(pair.expected())
            + here
            + ", but got "
            + Dims.text(pair.actual()));
  }
}
