package org.relaxvm.tir.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * An operation on two scalars of one dtype. {@link Exprs} makes it and folds constants.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why is there one class of binary expressions?"
 */
public record Binary(BinaryOp op, PrimExpr a, PrimExpr b) implements PrimExpr {
  /** Checks the dtypes. */
  public Binary {
    DTypes.requireSame(a.dtype(), b.dtype(), op.text());
    DTypes.requireComputable(a.dtype(), op.text());
    boolean bool = a.dtype().equals(DType.BOOL);
    boolean right =
        switch (op.kind()) {
          case ARITHMETIC -> !bool;
          case COMPARISON -> true;
          case LOGICAL -> bool;
        };
    if (!right) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, op.text() + " cannot work on operands of dtype " + a.dtype());
    }
  }

  @Override
  public DType dtype() {
    return op.kind() == BinaryOp.Kind.ARITHMETIC ? a.dtype() : DType.BOOL;
  }

  @Override
  public List<PrimExpr> operands() {
    return List.of(a, b);
  }

  @Override
  public PrimExpr withOperands(List<PrimExpr> operands) {
    return new Binary(op, operands.get(0), operands.get(1));
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Binary that && op == that.op && a.equals(that.a) && b.equals(that.b));
  }

  @Override
  public int hashCode() {
    return (31 * op.ordinal() + a.hashCode()) * 31 + b.hashCode();
  }
}
