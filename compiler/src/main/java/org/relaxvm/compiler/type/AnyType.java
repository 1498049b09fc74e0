package org.relaxvm.compiler.type;

/** Any value: nothing is known. */
public record AnyType() implements Type {
  /** The only one that is needed. */
  public static final AnyType ANY = new AnyType();

  @Override
  public String toString() {
    return TypeText.print(this);
  }
}
