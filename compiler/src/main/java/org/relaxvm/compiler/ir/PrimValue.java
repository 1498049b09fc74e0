package org.relaxvm.compiler.ir;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.type.PrimType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A number or boolean, perhaps computed from symbolic extents.
 *
 * @param value of any scalar dtype
 */
public record PrimValue(PrimExpr value) implements Expr {
  /** An int64 number. */
  public static PrimValue of(long value) {
    return new PrimValue(IntImm.of(value));
  }

  /** A boolean. */
  public static PrimValue of(boolean value) {
    return new PrimValue(IntImm.of(value));
  }

  /** A float64 number. */
  public static PrimValue of(double value) {
    return new PrimValue(new FloatImm(DType.FLOAT64, value));
  }

  @Override
  public Optional<Type> knownType() {
    return Optional.of(new PrimType(value.dtype()));
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
