package org.relaxvm.interoponnx.operator.quantized;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Operands of integer products: int32 differences of elements and zero points. The compiler makes
 * products of 8 bits of them.
 */
final class IntegerOperands {
  private IntegerOperands() {}

  /**
   * {@code x - zero point} as int32.
   *
   * @param x integers of 8 bits
   * @param zeroPoint broadcasts to {@code x}
   */
  static Expr of(NodeContext node, Expr x, Optional<Expr> zeroPoint) {
    Expr wide = node.emit(Ops.astype(x, DType.INT32));
    return zeroPoint
        .map(
            zero ->
                Quantizing.binary(
                    node, Ops::subtract, wide, node.emit(Ops.astype(zero, DType.INT32))))
        .orElse(wide);
  }

  /**
   * A parameter of an operand of a matrix product: for all of it, for each row or for each column.
   *
   * @param rank of the operand
   * @param axis of the operand, from 0, that a parameter with one axis has
   */
  static Expr placed(NodeContext node, Expr parameter, int rank, int axis) {
    List<PrimExpr> dims = node.dims(parameter);
    if (QuantizationParameters.isScalar(node, parameter)) {
      return dims.isEmpty()
          ? parameter
          : node.emit(Ops.reshape(parameter, new ShapeExpr(List.of())));
    }
    if (dims.size() != 1 || axis == rank - 1) {
      return parameter;
    }
    List<PrimExpr> shape = new ArrayList<>(Collections.nCopies(rank - axis, IntImm.of(1)));
    shape.set(0, dims.getFirst());
    return node.emit(Ops.reshape(parameter, new ShapeExpr(shape)));
  }
}
