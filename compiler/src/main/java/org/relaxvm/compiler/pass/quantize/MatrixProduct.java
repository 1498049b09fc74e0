package org.relaxvm.compiler.pass.quantize;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.pass.quantize.QuantizedOperand.Parameter;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A matrix product of quantized operands. With row sums {@code r} of the left integers and column
 * sums {@code c} of the right differences, {@code (a - za)(b - zb) = ab - r zb - za c}.
 */
record MatrixProduct(ProductTerms terms, QuantizedOperand a, QuantizedOperand b, DType dtype) {
  /** The product instead of a call; empty where it is none of such operands. */
  static Optional<Expr> of(Call call, ProductTerms terms) {
    if (!(call.type() instanceof TensorType type) || type.dtype().isEmpty()) {
      return Optional.empty();
    }
    Optional<QuantizedOperand> a = terms.operand(call.args().get(0));
    Optional<QuantizedOperand> b = terms.operand(call.args().get(1));
    if (a.isEmpty() || b.isEmpty()) {
      return Optional.empty();
    }
    MatrixProduct product = new MatrixProduct(terms, a.get(), b.get(), type.dtype().get());
    return product.fits() ? Optional.of(product.emitted()) : Optional.empty();
  }

  private boolean fits() {
    if (a.rank() < 2 || b.rank() < 2 || a.scale().isPresent() != b.scale().isPresent()) {
      return false;
    }
    boolean areAlong =
        isAlong(a.zeroPoint(), a.rank() - 2)
            && isAlong(a.scale(), a.rank() - 2)
            && isAlong(b.zeroPoint(), b.rank() - 1)
            && isAlong(b.scale(), b.rank() - 1);
    PrimExpr summed = ((TensorType) a.q().type()).dims().orElseThrow().get(a.order().getLast());
    boolean isSmall =
        a.scale().isEmpty() ? dtype.equals(DType.INT32) : ProductTerms.fits(List.of(summed), a, b);
    return areAlong && isSmall;
  }

  private static boolean isAlong(Optional<Parameter> parameter, int axis) {
    return parameter.filter(p -> !p.isForAll() && p.axis() != axis).isEmpty();
  }

  private Expr emitted() {
    Expr left = terms.integers(a);
    Expr right = terms.integers(b);
    Expr sum = terms.emit(Linear.matmul(left, right, DType.INT32));
    if (b.zeroPoint().isPresent()) {
      Expr rows =
          terms.emit(Reductions.sum(terms.as(left, DType.INT32), List.of(a.rank() - 1), true));
      sum = terms.minus(sum, rows, terms.placed(b.zeroPoint().get(), 0, DType.INT32));
    }
    if (a.zeroPoint().isPresent()) {
      sum = terms.minus(sum, columns(right), terms.placed(a.zeroPoint().get(), 1, DType.INT32));
    }
    return terms.scaled(
        sum,
        a.scale().map(scale -> terms.placed(scale, 1, DType.FLOAT32)),
        b.scale().map(scale -> terms.placed(scale, 0, DType.FLOAT32)),
        dtype);
  }

  /** Column sums of the right differences. */
  private Expr columns(Expr right) {
    int axis = b.rank() - 2;
    Optional<Expr> constant = ColumnSums.of(terms.known(right));
    if (constant.isPresent()) {
      Expr rows = terms.rows(right, axis);
      return b.zeroPoint()
          .map(zero -> terms.minus(constant.get(), rows, terms.placed(zero, 0, DType.INT32)))
          .orElse(constant.get());
    }
    return terms.emit(Reductions.sum(differences(right), List.of(axis), true));
  }

  private Expr differences(Expr right) {
    Expr wide = terms.as(right, DType.INT32);
    return b.zeroPoint()
        .<Expr>map(
            zero -> terms.emit(Arithmetic.subtract(wide, terms.placed(zero, 0, DType.INT32))))
        .orElse(wide);
  }
}
