package org.relaxvm.interoponnx.operator.normalization;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Normalizations over the last axes. Statistics are computed in the dtype that {@code stash_type}
 * names, or in that of the tensor if it is wider.
 */
public final class LayerNormalizations {
  private LayerNormalizations() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("LayerNormalization", 17, LayerNormalizations::layerNormalization)
        .add("RMSNormalization", 23, LayerNormalizations::rmsNormalization);
  }

  // ---------------------------------------------------------------- layers

  private static List<Operand> layerNormalization(NodeContext node) {
    Normalized over = Normalized.of(node);
    Optional<Expr> bias = node.optional(2);
    Expr result =
        over.isPlain(bias)
            ? layerNorm(over, bias.orElse(null))
            : scaled(node, over.centered(), over, bias);
    List<Expr> results = new ArrayList<>(List.of(node.emit(result)));
    if (node.wants(1) || node.wants(2)) {
      results.add(Dtypes.cast(node, over.mean(), over.stash));
      results.add(Dtypes.cast(node, over.inverseDeviation(), over.stash));
    }
    return node.results(results);
  }

  private static Expr layerNorm(Normalized over, @Nullable Expr bias) {
    Attrs attrs =
        Attrs.of("axes", over.axes)
            .with("epsilon", over.epsilon)
            .with("center", bias != null)
            .with("scale", true);
    Expr beta = bias == null ? over.scale : bias;
    return Call.of(Norms.LAYER_NORM, List.of(over.x, over.scale, beta), attrs);
  }

  private static Expr scaled(NodeContext node, Expr normal, Normalized over, Optional<Expr> bias) {
    Expr product = Ops.multiply(Dtypes.cast(node, normal, node.dtype(over.x)), over.scale);
    return bias.isEmpty() ? product : Ops.add(node.emit(product), bias.get());
  }

  // ---------------------------------------------------------------- root mean square

  private static List<Operand> rmsNormalization(NodeContext node) {
    Normalized over = Normalized.of(node);
    if (over.isPlain(Optional.empty())) {
      return node.result(Norms.rmsNorm(over.x, over.scale, over.axes, over.epsilon));
    }
    Expr squares = node.emit(Ops.square(over.wide));
    Expr inverse = over.inverse(node.emit(Ops.mean(squares, over.axes, true)));
    Expr normal = node.emit(Ops.multiply(over.wide, inverse));
    return node.result(scaled(node, normal, over, Optional.empty()));
  }

  // ---------------------------------------------------------------- common

  /** What is normalized, and how. */
  private static final class Normalized {
    final NodeContext node;
    final Expr x;
    final Expr scale;
    final List<Integer> axes;
    final double epsilon;
    final DType stash;

    /** The tensor in the dtype of the statistics. */
    final Expr wide;

    private Normalized(NodeContext node, Expr x, Expr scale, int axis, DType stash) {
      this.node = node;
      this.x = x;
      this.scale = scale;
      this.axes = IntStream.range(axis, node.rank(x)).boxed().toList();
      this.epsilon = node.attributes().real("epsilon", 1e-5f);
      this.stash = stash;
      boolean isNarrow = node.dtype(x).bits() < stash.bits();
      this.wide = isNarrow ? Dtypes.cast(node, x, stash) : x;
    }

    static Normalized of(NodeContext node) {
      ElementType stash = ElementType.of(node.attributes().integer("stash_type", 1));
      DType dtype = stash.dtype();
      if (dtype == null || !dtype.isFloat() || dtype.isFloat8()) {
        throw node.unsupported("statistics in " + stash.string() + " are not supported", "");
      }
      List<Expr> operands = node.broadcast(List.of(node.tensor(0), node.tensor(1)));
      Expr x = operands.getFirst();
      int axis = node.axis(node.attributes().integer("axis", -1), node.rank(x));
      return new Normalized(node, x, operands.get(1), axis, dtype);
    }

    /** Whether there is one operator for it: parameters are as large as what is normalized. */
    boolean isPlain(Optional<Expr> bias) {
      DType computed = Dtypes.wide(node.dtype(x));
      return stash.bits() <= computed.bits()
          && covers(scale)
          && bias.map(this::covers).orElse(true);
    }

    private boolean covers(Expr parameter) {
      List<PrimExpr> own = node.dims(parameter);
      List<PrimExpr> dims = node.dims(x);
      List<PrimExpr> last = dims.subList(dims.size() - axes.size(), dims.size());
      return own.size() == last.size()
          && IntStream.range(0, own.size())
              .allMatch(
                  i ->
                      own.get(i).equals(last.get(i))
                          || node.analyzer().canProveEqual(own.get(i), last.get(i)));
    }

    Expr mean() {
      return node.emit(Ops.mean(wide, axes, true));
    }

    private Expr distance() {
      return node.emit(Ops.subtract(wide, mean()));
    }

    Expr inverse(Expr variance) {
      return node.emit(
          Ops.rsqrt(node.emit(Ops.add(variance, Dtypes.number(node, variance, epsilon)))));
    }

    private Expr inverseDeviation(Expr distance) {
      Expr squares = node.emit(Ops.square(distance));
      return inverse(node.emit(Ops.mean(squares, axes, true)));
    }

    Expr inverseDeviation() {
      return inverseDeviation(distance());
    }

    Expr centered() {
      Expr distance = distance();
      return node.emit(Ops.multiply(distance, inverseDeviation(distance)));
    }
  }
}
