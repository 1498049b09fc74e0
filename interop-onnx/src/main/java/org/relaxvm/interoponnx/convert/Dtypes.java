package org.relaxvm.interoponnx.convert;

import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/** Dtypes to compute in. */
public final class Dtypes {
  private Dtypes() {}

  /**
   * The dtype of an operand, without reading or computing it.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when it is no tensor of numbers
   */
  public static DType of(NodeContext node, Operand operand) {
    return node.typeOf(operand)
        .dtype()
        .orElseThrow(
            () ->
                node.unsupported("the dtype of an input is needed; it is unknown, or strings", ""));
  }

  /** The leaf in a dtype. */
  public static Expr cast(NodeContext node, Expr leaf, DType dtype) {
    return node.dtype(leaf).equals(dtype) ? leaf : node.emit(Ops.astype(leaf, dtype));
  }

  /** The floats to compute sums and powers in: float32 for narrower ones, float64 for integers. */
  public static DType wide(DType dtype) {
    if (!dtype.isFloat()) {
      return DType.FLOAT64;
    }
    return dtype.bits() < Float.SIZE ? DType.FLOAT32 : dtype;
  }

  /** The leaf in {@link #wide} floats. */
  public static Expr widened(NodeContext node, Expr leaf) {
    return cast(node, leaf, wide(node.dtype(leaf)));
  }

  /** A number beside a leaf, in its dtype. */
  public static PrimValue number(NodeContext node, Expr leaf, double value) {
    return Ops.scalar(node.dtype(leaf), value);
  }

  /** A number computed from extents beside a leaf, in its dtype. */
  public static PrimValue number(NodeContext node, Expr leaf, PrimExpr value) {
    return new PrimValue(Exprs.cast(node.dtype(leaf), value));
  }
}
