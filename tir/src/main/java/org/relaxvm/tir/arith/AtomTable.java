package org.relaxvm.tir.arith;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.expr.PrimExpr;

/** Numbers atoms in the order of their first appearance, which is the order of terms. */
final class AtomTable {
  private final Map<PrimExpr, Integer> numbers = new HashMap<>();
  private final List<PrimExpr> atoms = new ArrayList<>();

  int numberOf(PrimExpr atom) {
    Integer known = numbers.putIfAbsent(atom, atoms.size());
    if (known != null) {
      return known;
    }
    atoms.add(atom);
    return atoms.size() - 1;
  }

  /** Whether an expression has been met, alone or as a part of another atom. */
  boolean isKnown(PrimExpr atom) {
    return numbers.containsKey(atom);
  }

  PrimExpr atom(int number) {
    return atoms.get(number);
  }
}
