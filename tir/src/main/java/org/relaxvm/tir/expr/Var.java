package org.relaxvm.tir.expr;

import org.relaxvm.api.DType;

/**
 * A variable: a loop counter, a symbolic extent, a scalar parameter. Equal to itself only; the name
 * is for people.
 */
public final class Var implements PrimExpr {
  private final String name;
  private final DType dtype;

  /** A new variable. */
  public Var(String name, DType dtype) {
    DTypes.requireScalar(dtype, "the variable " + name);
    this.name = name;
    this.dtype = dtype;
  }

  /** A new variable of dtype int64, which indices and extents have. */
  public static Var index(String name) {
    return new Var(name, DType.INT64);
  }

  /** The name, which other variables may have too. */
  public String name() {
    return name;
  }

  @Override
  public DType dtype() {
    return dtype;
  }

  @Override
  public String toString() {
    return name;
  }
}
