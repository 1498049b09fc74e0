package org.relaxvm.tir.arith;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** What is known, and what has been found out from it. A scope works on a copy. */
final class Constraints {
  /** Values that stand for variables; none contains a variable that had one when it was put in. */
  final Map<Var, PrimExpr> values;

  /** Tighter bounds of atoms than their form gives. */
  final Map<Integer, Interval> bounds;

  /** Numbers that divide atoms. */
  final Map<Integer, Long> divisors;

  /** What is at least 0. */
  final List<Polynomial> nonNegative;

  /** Conditions that hold and are not comparisons by order. */
  final Set<PrimExpr> conditions;

  /** Shared with the copy or the original until one of them changes. */
  private Results results;

  Constraints() {
    values = new HashMap<>();
    bounds = new HashMap<>();
    divisors = new HashMap<>();
    nonNegative = new ArrayList<>();
    conditions = new HashSet<>();
    results = new Results();
  }

  private Constraints(Constraints outer) {
    values = new HashMap<>(outer.values);
    bounds = new HashMap<>(outer.bounds);
    divisors = new HashMap<>(outer.divisors);
    nonNegative = new ArrayList<>(outer.nonNegative);
    conditions = new HashSet<>(outer.conditions);
    results = outer.results;
  }

  /** What follows from the facts. */
  private record Results(
      Map<PrimExpr, Polynomial> polynomials,
      Map<PrimExpr, PrimExpr> simplified,
      Map<Integer, Interval> atomBounds,
      Map<Polynomial, Boolean> proofs) {
    Results() {
      this(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
    }
  }

  Constraints copy() {
    return new Constraints(this);
  }

  /** Whether nothing is known of an atom itself. */
  boolean isFree(int atom) {
    if (bounds.containsKey(atom) || divisors.containsKey(atom)) {
      return false;
    }
    for (Polynomial fact : nonNegative) {
      if (fact.contains(atom)) {
        return false;
      }
    }
    return true;
  }

  /** Polynomials of expressions, until the next change. */
  Map<PrimExpr, Polynomial> polynomials() {
    return results.polynomials;
  }

  /** Results for expressions that are no index arithmetic, until the next change. */
  Map<PrimExpr, PrimExpr> simplified() {
    return results.simplified;
  }

  /** Bounds of atoms, until the next change. */
  Map<Integer, Interval> atomBounds() {
    return results.atomBounds;
  }

  /** Whether polynomials were shown to be at least 0, until the next change. */
  Map<Polynomial, Boolean> proofs() {
    return results.proofs;
  }

  /** To be called after each change. */
  void forgetResults() {
    results = new Results();
  }
}
