package org.relaxvm.tir.expr;

/**
 * An opaque pointer: a parameter of a host function, of which the kernel IR knows nothing but that
 * it can be passed on. Equal to itself only; the name is for people.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why is a handle not a variable?"
 *
 * @see org.relaxvm.tir.Param.OfHandle
 */
public final class Handle {
  private final String name;

  /** A new handle. */
  public Handle(String name) {
    this.name = name;
  }

  /** The name, which other handles may have too. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
