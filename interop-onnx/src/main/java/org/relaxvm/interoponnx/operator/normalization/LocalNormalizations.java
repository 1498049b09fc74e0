package org.relaxvm.interoponnx.operator.normalization;

import java.util.List;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Normalizations without parameters that a model learns. Narrow floats are computed in float32. */
public final class LocalNormalizations {
  private LocalNormalizations() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("LRN", 1, LocalNormalizations::acrossChannels)
        .add("LpNormalization", 1, LocalNormalizations::byNorm)
        .add("MeanVarianceNormalization", 9, LocalNormalizations::byMeanAndVariance);
  }

  /**
   * {@code x / (bias + alpha * m)^beta}, with {@code m} the sum of squares of neighbouring channels
   * divided by their full number.
   */
  private static List<Operand> acrossChannels(NodeContext node) {
    Expr input = node.tensor(0);
    List<PrimExpr> dims = node.dims(input);
    if (dims.size() < 2) {
      throw node.unsupported("its input has " + dims.size() + " axes; expected 2 or more", "");
    }
    long size = node.attributes().requiredInteger("size");
    if (size < 1) {
      throw node.unsupported("its size is " + size + "; expected 1 or more", "");
    }
    Expr x = Dtypes.widened(node, input);
    PrimExpr others = node.analyzer().simplify(Exprs.product(dims.subList(2, dims.size())));
    Expr lines =
        node.emit(
            Ops.reshape(
                node.emit(Ops.square(x)),
                new ShapeExpr(List.of(dims.get(0), IntImm.of(1), dims.get(1), others))));
    PoolOptions window =
        PoolOptions.of(size, 1).withPadding((size - 1) / 2, 0, size / 2, 0).withCountIncludePad();
    Expr means =
        node.emit(Ops.reshape(node.emit(Pools.avgPool2d(lines, window)), new ShapeExpr(dims)));
    Expr scaled =
        node.emit(
            Ops.multiply(means, Dtypes.number(node, x, node.attributes().real("alpha", 1e-4f))));
    Expr base =
        node.emit(Ops.add(scaled, Dtypes.number(node, x, node.attributes().real("bias", 1))));
    Expr divisor =
        node.emit(Ops.power(base, Dtypes.number(node, x, node.attributes().real("beta", 0.75f))));
    return node.result(Dtypes.cast(node, node.emit(Ops.divide(x, divisor)), node.dtype(input)));
  }

  /** Where the norm is 0, so is the result. */
  private static List<Operand> byNorm(NodeContext node) {
    Expr input = node.tensor(0);
    Expr x = Dtypes.widened(node, input);
    List<Integer> axes = List.of(node.axis(node.attributes().integer("axis", -1), node.rank(x)));
    long p = node.attributes().integer("p", 2);
    if (p != 1 && p != 2) {
      throw node.unsupported("p is " + p + "; expected 1 or 2", "");
    }
    Expr powers = node.emit(p == 1 ? Ops.abs(x) : Ops.square(x));
    Expr sum = node.emit(Ops.sum(powers, axes, true));
    Expr norm = p == 1 ? sum : node.emit(Ops.sqrt(sum));
    Expr isZero = node.emit(Ops.equal(norm, Dtypes.number(node, norm, 0)));
    Expr quotient = node.emit(Ops.divide(x, norm));
    Expr result = node.emit(Ops.where(isZero, node.scalar(node.dtype(x), 0), quotient));
    return node.result(Dtypes.cast(node, result, node.dtype(input)));
  }

  private static List<Operand> byMeanAndVariance(NodeContext node) {
    Expr input = node.tensor(0);
    Expr x = Dtypes.widened(node, input);
    int rank = node.rank(x);
    List<Integer> axes =
        node.attributes().integers("axes").orElse(List.of(0L, 2L, 3L)).stream()
            .map(axis -> node.axis(axis, rank))
            .toList();
    Expr distance = node.emit(Ops.subtract(x, node.emit(Ops.mean(x, axes, true))));
    Expr deviation = node.emit(Reductions.std(x, axes, true));
    Expr divisor = node.emit(Ops.add(deviation, Dtypes.number(node, x, 1e-9)));
    return node.result(
        Dtypes.cast(node, node.emit(Ops.divide(distance, divisor)), node.dtype(input)));
  }
}
