package org.relaxvm.compiler.ir;

import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.type.Dims;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A shape as a value.
 *
 * @param values the extents: int64
 */
public record ShapeExpr(List<PrimExpr> values) implements Expr {
  /** Checks and copies the extents. */
  public ShapeExpr {
    values = Dims.of(values.toArray());
  }

  /**
   * A shape.
   *
   * @param dims integers of Java and int64 expressions
   */
  public static ShapeExpr of(Object... dims) {
    return new ShapeExpr(Dims.of(dims));
  }

  @Override
  public Optional<Type> knownType() {
    return Optional.of(ShapeType.of(values));
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
