package org.relaxvm.machine.x64;

/**
 * A position in the code of one {@link Assembler}, to which jumps and addresses refer before or
 * after it is bound.
 */
public final class Label {
  private static final int UNBOUND = -1;

  private final String name;
  private int position = UNBOUND;

  Label(String name) {
    this.name = name;
  }

  boolean isBound() {
    return position != UNBOUND;
  }

  int position() {
    if (!isBound()) {
      throw new IllegalStateException("the label " + name + " is used, but was never bound");
    }
    return position;
  }

  void bind(int newPosition) {
    if (isBound()) {
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
