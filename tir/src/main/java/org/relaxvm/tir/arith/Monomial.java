package org.relaxvm.tir.arith;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A product of atoms, each as often as its power. The longer one of two with the same beginning
 * comes first, so that a constant is the last term.
 *
 * @param atoms numbers of an {@link AtomTable}, ascending
 */
record Monomial(List<Integer> atoms) implements Comparable<Monomial> {
  static final Monomial ONE = new Monomial(List.of());

  private static final int LARGEST_DEGREE = 8;

  static Monomial of(int atom) {
    return new Monomial(List.of(atom));
  }

  boolean isOne() {
    return atoms.isEmpty();
  }

  /** Whether this is one atom. */
  boolean isAtom() {
    return atoms.size() == 1;
  }

  Monomial times(Monomial other) {
    List<Integer> all = new ArrayList<>(atoms);
    all.addAll(other.atoms);
    if (all.size() > LARGEST_DEGREE) {
      throw new ArithmeticException("the degree is too large");
    }
    all.sort(null);
    return new Monomial(List.copyOf(all));
  }

  /** The other factor, or null when that one does not divide this. */
  @Nullable Monomial dividedBy(Monomial other) {
    List<Integer> rest = new ArrayList<>(atoms);
    for (Integer atom : other.atoms) {
      if (!rest.remove(atom)) {
        return null;
      }
    }
    return new Monomial(List.copyOf(rest));
  }

  /** The greatest common divisor. */
  Monomial common(Monomial other) {
    List<Integer> rest = new ArrayList<>(other.atoms);
    return new Monomial(atoms.stream().filter(rest::remove).toList());
  }

  @Override
  public int compareTo(Monomial other) {
    int shared = Math.min(atoms.size(), other.atoms.size());
    for (int i = 0; i < shared; i++) {
      int order = atoms.get(i).compareTo(other.atoms.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(other.atoms.size(), atoms.size());
  }
}
