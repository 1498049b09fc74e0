package org.relaxvm.machine.arm64;

/**
 * A position in the code of one {@link Assembler}, to which branches and literal loads refer before
 * or after it is bound.
 */
public final class Label implements Operand {
  private static final int UNBOUND = -1;

  private final String name;
  private int position = UNBOUND;

  Label(String name) {
    this.name = name;
  }

  int position() {
    if (position == UNBOUND) {
      throw new IllegalStateException("the label " + name + " is used, but was never bound");
    }
    return position;
  }

  void bind(int newPosition) {
    if (position != UNBOUND) {
      throw new IllegalStateException("the label " + name + " is bound twice");
    }
    position = newPosition;
  }

  /** The name that the listing shows. */
  @Override
  public String toString() {
    return name;
  }
}
