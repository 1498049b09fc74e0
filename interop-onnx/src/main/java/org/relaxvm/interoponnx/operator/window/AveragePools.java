package org.relaxvm.interoponnx.operator.window;

import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.create.Fills;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.value.Operand;

/** Means and norms of windows, and pools whose window is all that there is. */
public final class AveragePools {
  private AveragePools() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("AveragePool", 1, AveragePools::averagePool)
        .add("LpPool", 1, AveragePools::lpPool)
        .add("GlobalAveragePool", 1, node -> global(node, Reductions::mean))
        .add("GlobalMaxPool", 1, node -> global(node, Reductions::max))
        .add("GlobalLpPool", 1, AveragePools::globalLpPool);
  }

  private static List<Operand> averagePool(NodeContext node) {
    Expr x = node.tensor(0);
    int spatial = Windows.spatial(node, node.rank(x));
    Windows windows = Windows.of(node, node.dims(x), Windows.kernelShape(node, spatial));
    boolean counts = node.attributes().flag("count_include_pad", false);
    if (windows.isConstant(false)) {
      PoolOptions options = windows.options();
      return node.result(
          Pools.avgPool(x, spatial, counts ? options.withCountIncludePad() : options));
    }
    PoolOptions plain = windows.withoutPadding().options();
    Expr padded = windows.padded(node, x, 0);
    Expr means = node.emit(Pools.avgPool(padded, spatial, plain));
    if (counts) {
      return node.result(means);
    }
    // Padding is 0 in the first mean and does not count in the second.
    Expr present = windows.padded(node, node.emit(Fills.onesLike(x)), 0);
    return node.result(Ops.divide(means, node.emit(Pools.avgPool(present, spatial, plain))));
  }

  // ---------------------------------------------------------------- norms

  private static List<Operand> lpPool(NodeContext node) {
    Expr input = node.tensor(0);
    int spatial = Windows.spatial(node, node.rank(input));
    Windows windows =
        Windows.of(node, node.dims(input), Windows.kernelShape(node, spatial))
            .closed(node, node.dims(input));
    double p = exponent(node);
    Expr powers = windows.padded(node, powers(node, Dtypes.widened(node, input), p), 0);
    Expr means = node.emit(Pools.avgPool(powers, spatial, windows.withoutPadding().options()));
    long count = windows.window().stream().reduce(1L, (a, b) -> a * b);
    Expr sums = node.emit(Ops.multiply(means, Dtypes.number(node, means, count)));
    return node.result(root(node, sums, p, input));
  }

  /** The exponent is a float in version 1. */
  private static double exponent(NodeContext node) {
    double p =
        node.attributes()
            .value("p")
            .map(
                value ->
                    value instanceof AttributeValue.Real(float real)
                        ? (double) real
                        : (double) node.attributes().requiredInteger("p"))
            .orElse(2.0);
    if (p <= 0) {
      throw node.unsupported("p is " + p + "; expected more than 0", "");
    }
    return p;
  }

  private static Expr powers(NodeContext node, Expr x, double p) {
    if (p == 2) {
      return node.emit(Ops.square(x));
    }
    Expr sizes = node.emit(Ops.abs(x));
    return p == 1 ? sizes : node.emit(Ops.power(sizes, Dtypes.number(node, x, p)));
  }

  private static Expr root(NodeContext node, Expr sums, double p, Expr like) {
    Expr root =
        p == 1
            ? sums
            : node.emit(
                p == 2 ? Ops.sqrt(sums) : Ops.power(sums, Dtypes.number(node, sums, 1 / p)));
    return Dtypes.cast(node, root, node.dtype(like));
  }

  // ---------------------------------------------------------------- all positions

  @FunctionalInterface
  private interface Reduction {
    Expr apply(Expr x, List<Integer> axes, boolean keepDims);
  }

  private static List<Integer> spatialAxes(NodeContext node, Expr x) {
    int rank = node.rank(x);
    if (rank < 2) {
      throw node.unsupported("its input has " + rank + " axes; expected 2 or more", "");
    }
    return IntStream.range(2, rank).boxed().toList();
  }

  private static List<Operand> global(NodeContext node, Reduction reduction) {
    Expr x = node.tensor(0);
    List<Integer> axes = spatialAxes(node, x);
    return axes.isEmpty() ? List.of(node.operand(0)) : node.result(reduction.apply(x, axes, true));
  }

  private static List<Operand> globalLpPool(NodeContext node) {
    Expr input = node.tensor(0);
    double p = exponent(node);
    Expr powers = powers(node, Dtypes.widened(node, input), p);
    Expr sums = node.emit(Ops.sum(powers, spatialAxes(node, input), true));
    return node.result(root(node, sums, p, input));
  }
}
