package org.relaxvm.machine.x64;

/**
 * A position in the code of one {@link Assembler}, or at a fixed distance from it, to which jumps
 * and addresses refer before or after it is bound.
 */
public final class Label {
  private static final int UNBOUND = Integer.MIN_VALUE;

  private final char kind;
  private final int number;
  private int position = UNBOUND;

  /** A label of a position in code (L) or of a constant (C). */
  Label(char kind, int number) {
    this.kind = kind;
    this.number = number;
  }

  boolean isBound() {
    return position != UNBOUND;
  }

  int position() {
    if (!isBound()) {
      throw new IllegalStateException("the label " + this + " is used, but was never bound");
    }
    return position;
  }

  void bind(int newPosition) {
    if (isBound()) {
      throw new IllegalStateException("the label " + this + " is bound twice");
    }
    position = newPosition;
  }

  /** The name that the listing shows. */
  @Override
  public String toString() {
    return "." + kind + number;
  }
}
