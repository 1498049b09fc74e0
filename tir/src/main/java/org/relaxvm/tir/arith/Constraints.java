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

  private final Map<PrimExpr, Polynomial> polynomials = new HashMap<>();
  private final Map<PrimExpr, PrimExpr> simplified = new HashMap<>();
  private final Map<Integer, Interval> atomBounds = new HashMap<>();
  private final Map<Polynomial, Boolean> proofs = new HashMap<>();

  Constraints() {
    values = new HashMap<>();
    bounds = new HashMap<>();
    divisors = new HashMap<>();
    nonNegative = new ArrayList<>();
    conditions = new HashSet<>();
  }

  private Constraints(Constraints outer) {
    values = new HashMap<>(outer.values);
    bounds = new HashMap<>(outer.bounds);
    divisors = new HashMap<>(outer.divisors);
    nonNegative = new ArrayList<>(outer.nonNegative);
    conditions = new HashSet<>(outer.conditions);
  }

  Constraints copy() {
    return new Constraints(this);
  }

  /** Whether nothing is known of an atom itself. */
  boolean isFree(int atom) {
    return !bounds.containsKey(atom)
        && !divisors.containsKey(atom)
        && nonNegative.stream().noneMatch(fact -> fact.contains(atom));
  }

  /** Polynomials of expressions, until the next change. */
  Map<PrimExpr, Polynomial> polynomials() {
    return polynomials;
  }

  /** Results for expressions that are no index arithmetic, until the next change. */
  Map<PrimExpr, PrimExpr> simplified() {
    return simplified;
  }

  /** Bounds of atoms, until the next change. */
  Map<Integer, Interval> atomBounds() {
    return atomBounds;
  }

  /** Whether polynomials were shown to be at least 0, until the next change. */
  Map<Polynomial, Boolean> proofs() {
    return proofs;
  }

  /** To be called after each change. */
  void forgetResults() {
    polynomials.clear();
    simplified.clear();
    atomBounds.clear();
    proofs.clear();
  }
}
