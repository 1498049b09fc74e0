package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Normalization of rows and groups, with what precedes it. */
final class Normalizations {
  private static final float EPSILON = 1e-5f;
  private static final float SKIP_EPSILON = 1e-12f;

  private Normalizations() {}

  static void addTo(OperatorTable.Builder table) {
    table
        .add(MICROSOFT, "LayerNormalization", node -> plain(node, false))
        .add(MICROSOFT, "SimplifiedLayerNormalization", node -> plain(node, true))
        .add(MICROSOFT, "SkipLayerNormalization", node -> skip(node, false))
        .add(MICROSOFT, "SkipSimplifiedLayerNormalization", node -> skip(node, true))
        .add(MICROSOFT, "EmbedLayerNormalization", Normalizations::embed)
        .add(MICROSOFT, "GroupNorm", Normalizations::groupNorm)
        .add(MICROSOFT, "SkipGroupNorm", Normalizations::skipGroupNorm);
  }

  // ---------------------------------------------------------------- rows

  /** Rows from an axis on: the result, and the statistics in float32. */
  private record Rows(NodeContext node, Expr x, int axis, double epsilon) {
    private List<Integer> axes() {
      return IntStream.range(axis, node.rank(x)).boxed().toList();
    }

    private Expr fitting(Expr scale) {
      List<PrimExpr> dims = node.dims(x);
      return new Emitter(node).withDims(scale, dims.subList(axis, dims.size()));
    }

    Expr layer(Expr gamma, Optional<Expr> beta) {
      Emitter e = new Emitter(node);
      Expr scale = fitting(gamma);
      Expr shift =
          beta.isPresent() ? fitting(beta.get()) : e.zeros(node.dims(scale), node.dtype(scale));
      return node.emit(NnOps.layerNorm(x, scale, shift, axes(), epsilon));
    }

    Expr rootMeanSquare(Expr weight) {
      return node.emit(NnOps.rmsNorm(x, fitting(weight), axes(), epsilon));
    }

    private Expr wide() {
      return new Emitter(node)
          .cast(x, node.dtype(x).bits() < Float.SIZE ? DType.FLOAT32 : node.dtype(x));
    }

    Expr mean() {
      return node.emit(Ops.mean(wide(), axes(), true));
    }

    /** The reciprocal of the standard deviation, or of the root of the mean square. */
    Expr inverse(boolean isSimplified) {
      Emitter e = new Emitter(node);
      Expr centred = isSimplified ? wide() : e.subtract(wide(), mean());
      Expr variance = node.emit(Ops.mean(e.multiply(centred, centred), axes(), true));
      return node.emit(Ops.rsqrt(e.add(variance, epsilon)));
    }
  }

  private static List<Operand> plain(NodeContext node, boolean isSimplified) {
    Expr x = node.tensor(0);
    Rows rows =
        new Rows(
            node,
            x,
            node.axis(node.attributes().integer("axis", -1), node.rank(x)),
            node.attributes().real("epsilon", EPSILON));
    if (isSimplified) {
      List<Expr> results = new ArrayList<>(List.of(rows.rootMeanSquare(node.tensor(1))));
      if (node.wants(1)) {
        results.add(rows.inverse(true));
      }
      return node.results(results);
    }
    List<Operand> results = new ArrayList<>();
    results.add(node.operandOf(rows.layer(node.tensor(1), node.optional(2))));
    addStatistics(node, rows, false, results);
    return results;
  }

  private static void addStatistics(
      NodeContext node, Rows rows, boolean isSimplified, List<Operand> results) {
    Operand none = new Operand.Maybe(Optional.empty());
    results.add(node.wants(1) ? node.operandOf(rows.mean()) : none);
    results.add(node.wants(2) ? node.operandOf(rows.inverse(isSimplified)) : none);
  }

  /** Inputs input, skip, gamma, then beta unless simplified, then a bias; output 4 is the sum. */
  private static List<Operand> skip(NodeContext node, boolean isSimplified) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    Expr skip = e.broadcastable(e.withRank(node.tensor(1), node.rank(x)), node.dims(x));
    Expr sum = e.add(x, skip);
    int bias = isSimplified ? 3 : 4;
    if (node.has(bias)) {
      sum = e.add(sum, e.withDims(node.tensor(bias), List.of(e.dim(x, node.rank(x) - 1))));
    }
    Rows rows =
        new Rows(node, sum, node.rank(x) - 1, node.attributes().real("epsilon", SKIP_EPSILON));
    List<Operand> results = new ArrayList<>();
    results.add(
        node.operandOf(
            isSimplified
                ? rows.rootMeanSquare(node.tensor(2))
                : rows.layer(node.tensor(2), node.optional(3))));
    addStatistics(node, rows, isSimplified, results);
    results.add(node.operandOf(sum));
    return results;
  }

  // ---------------------------------------------------------------- embeddings

  private static List<Operand> embed(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr ids = node.tensor(0);
    Expr sum = e.add(e.take(node.tensor(2), ids, 0), positions(node, ids));
    if (node.has(1) && node.has(4)) {
      sum = e.add(sum, e.take(node.tensor(4), node.tensor(1), 0));
    }
    Rows rows =
        new Rows(node, sum, node.rank(sum) - 1, node.attributes().real("epsilon", SKIP_EPSILON));
    Expr y = rows.layer(node.tensor(5), Optional.of(node.tensor(6)));
    return node.results(List.of(y, maskIndex(node, ids), sum));
  }

  private static Expr positions(NodeContext node, Expr ids) {
    Emitter e = new Emitter(node);
    PrimExpr length = e.dim(ids, 1);
    if (node.has(8)) {
      Expr given = e.broadcastable(node.tensor(8), node.dims(ids));
      return e.take(node.tensor(3), given, 0);
    }
    return e.slice(node.tensor(3), 0, IntImm.of(0), length);
  }

  /** How many words of each row are not masked; 0 without a mask. */
  private static Expr maskIndex(NodeContext node, Expr ids) {
    Emitter e = new Emitter(node);
    return node.has(7)
        ? e.cast(
            node.emit(Ops.sum(e.cast(node.tensor(7), DType.INT32), List.of(1), false)), DType.INT32)
        : e.zeros(List.of(e.dim(ids, 0)), DType.INT32);
  }

  // ---------------------------------------------------------------- groups

  private static List<Operand> groupNorm(NodeContext node) {
    return node.result(groups(node, node.tensor(0)));
  }

  /** The second output is the sum that is normalised. */
  private static List<Operand> skipGroupNorm(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    int channels = channelAxis(node, x);
    Expr skip = node.tensor(3);
    if (node.rank(skip) == 2) {
      skip = e.unsqueeze(skip, channels == 1 ? new Integer[] {2, 3} : new Integer[] {1, 2});
    }
    Expr sum = e.add(x, e.broadcastable(skip, node.dims(x)));
    if (node.has(4)) {
      Expr bias = e.withDims(node.tensor(4), List.of(e.dim(x, channels)));
      sum = e.add(sum, channels == 1 ? e.unsqueeze(bias, 1, 2) : bias);
    }
    return node.results(List.of(groups(node, sum), sum));
  }

  private static int channelAxis(NodeContext node, Expr x) {
    if (node.rank(x) != 4) {
      throw node.unsupported("the input has " + node.rank(x) + " axes; expected 4", "");
    }
    return node.attributes().flag("channels_last", true) ? 3 : 1;
  }

  private static Expr groups(NodeContext node, Expr x) {
    Emitter e = new Emitter(node);
    int channels = channelAxis(node, x);
    List<Integer> axes = IntStream.range(1, 4).filter(i -> i != channels).boxed().toList();
    List<PrimExpr> width = List.of(e.dim(x, channels));
    DType dtype = node.dtype(x);
    Expr y =
        node.emit(
            Norms.groupNorm(
                x,
                e.cast(e.withDims(node.tensor(1), width), dtype),
                e.cast(e.withDims(node.tensor(2), width), dtype),
                node.attributes().requiredNumber("groups"),
                channels,
                axes,
                node.attributes().real("epsilon", EPSILON)));
    long activation = node.attributes().integer("activation", 0);
    if (activation != 0 && activation != 1) {
      throw node.unsupported("the activation is " + activation + "; expected 0 or 1", "");
    }
    return activation == 1 ? node.emit(NnOps.silu(y)) : y;
  }
}
