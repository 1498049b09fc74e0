package org.relaxvm.tir.arith;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A product of atoms, each as often as its power. The longer one of two with the same beginning
 * comes first, so that a constant is the last term.
 */
final class Monomial implements Comparable<Monomial> {
  static final Monomial ONE = new Monomial(new int[0]);

  private static final int LARGEST_DEGREE = 8;

  // Numbers of an AtomTable, ascending.
  private final int[] atoms;

  private Monomial(int[] atoms) {
    this.atoms = atoms;
  }

  static Monomial of(int atom) {
    return new Monomial(new int[] {atom});
  }

  /** The numbers of the atoms, ascending; only to be read. */
  int[] atoms() {
    return atoms;
  }

  /** The atom with the least number, of a product that is not 1. */
  int first() {
    return atoms[0];
  }

  boolean isOne() {
    return atoms.length == 0;
  }

  /** Whether this is one atom. */
  boolean isAtom() {
    return atoms.length == 1;
  }

  boolean contains(int atom) {
    for (int each : atoms) {
      if (each == atom) {
        return true;
      }
    }
    return false;
  }

  Monomial times(Monomial other) {
    if (isOne() || other.isOne()) {
      return isOne() ? other : this;
    }
    if (atoms.length + other.atoms.length > LARGEST_DEGREE) {
      throw new ArithmeticException("the degree is too large");
    }
    int[] all = Arrays.copyOf(atoms, atoms.length + other.atoms.length);
    System.arraycopy(other.atoms, 0, all, atoms.length, other.atoms.length);
    Arrays.sort(all);
    return new Monomial(all);
  }

  /** The other factor, or null when that one does not divide this. */
  @Nullable Monomial dividedBy(Monomial other) {
    int degree = atoms.length - other.atoms.length;
    if (degree < 0 || other.isOne()) {
      return degree < 0 ? null : this;
    }
    int[] remaining = new int[degree];
    int taken = 0;
    for (int i = 0; i < atoms.length; i++) {
      if (taken < other.atoms.length && atoms[i] == other.atoms[taken]) {
        taken++;
      } else if (i - taken < degree) {
        remaining[i - taken] = atoms[i];
      } else {
        return null;
      }
    }
    return degree == 0 ? ONE : new Monomial(remaining);
  }

  /** The greatest common divisor. */
  Monomial common(Monomial other) {
    int[] common = new int[Math.min(atoms.length, other.atoms.length)];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < atoms.length && j < other.atoms.length) {
      if (atoms[i] == other.atoms[j]) {
        common[count++] = atoms[i++];
        j++;
      } else if (atoms[i] < other.atoms[j]) {
        i++;
      } else {
        j++;
      }
    }
    return count == 0 ? ONE : new Monomial(Arrays.copyOf(common, count));
  }

  @Override
  public int compareTo(Monomial other) {
    int shared = Math.min(atoms.length, other.atoms.length);
    for (int i = 0; i < shared; i++) {
      if (atoms[i] != other.atoms[i]) {
        return Integer.compare(atoms[i], other.atoms[i]);
      }
    }
    return Integer.compare(other.atoms.length, atoms.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Monomial that && Arrays.equals(atoms, that.atoms);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(atoms);
  }

  @Override
  public String toString() {
    return Arrays.toString(atoms);
  }
}
