package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;

/** Matrix products and convolutions with what precedes or follows them. */
final class FusedProducts {
  private static final int GEMM = 13;
  private static final int CONV = 22;

  private FusedProducts() {}

  static void addTo(OperatorTable.Builder table) {
    table
        .add(MICROSOFT, "FusedMatMul", FusedProducts::fusedMatmul)
        .add(MICROSOFT, "TransposeMatMul", FusedProducts::fusedMatmul)
        .add(MICROSOFT, "FusedGemm", FusedProducts::fusedGemm)
        .add(MICROSOFT, "FusedConv", node -> fusedConv(node, false))
        .add(MICROSOFT, "NhwcConv", node -> fusedConv(node, true))
        .add(MICROSOFT, "NhwcFusedConv", node -> fusedConv(node, true));
  }

  // ---------------------------------------------------------------- matrices

  private static List<Operand> fusedMatmul(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr a = factor(node, 0, "A");
    Expr b = factor(node, 1, "B");
    return node.result(e.multiply(e.matmul(a, b), node.attributes().real("alpha", 1)));
  }

  /** A batch transpose moves axis 0 before the last one; a transpose exchanges the last two. */
  private static Expr factor(NodeContext node, int input, String letter) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(input);
    int rank = node.rank(x);
    if (rank < 2) {
      return x;
    }
    if (node.attributes().flag("transBatch" + letter, false)) {
      int[] axes =
          IntStream.range(0, rank).map(i -> i < rank - 2 ? i + 1 : i == rank - 2 ? 0 : i).toArray();
      x = e.permute(x, axes);
    }
    return node.attributes().flag("trans" + letter, false) ? e.transposed(x) : x;
  }

  private static List<Operand> fusedGemm(NodeContext node) {
    Expr product = node.leaf(node.apply("Gemm", GEMM, node.givenOperands()).getFirst());
    List<Float> params = new ArrayList<>();
    for (String name : List.of("activation_alpha", "activation_beta", "activation_gamma")) {
      Optional<Float> param = node.attributes().real(name);
      if (param.isEmpty()) {
        break;
      }
      params.add(param.get());
    }
    return node.result(
        FusedActivation.of(node, product, node.attributes().string("activation", ""), params));
  }

  // ---------------------------------------------------------------- convolutions

  /**
   * @param channelsLast whether the channels of data are the last axis; weights are as for Conv
   */
  private static List<Operand> fusedConv(NodeContext node, boolean channelsLast) {
    Emitter e = new Emitter(node);
    List<Operand> inputs = new ArrayList<>(node.givenOperands());
    Expr x = node.tensor(0);
    if (channelsLast) {
      inputs.set(0, node.operandOf(channelsSecond(node, x)));
    }
    List<Operand> own = inputs.subList(0, Math.min(3, inputs.size()));
    Expr y = node.leaf(node.apply("Conv", CONV, own).getFirst());
    if (channelsLast) {
      y = channelsLast(node, y);
    }
    if (node.has(3)) {
      y = e.add(y, e.broadcastable(node.tensor(3), node.dims(y)));
    }
    return node.result(
        FusedActivation.of(
            node,
            y,
            node.attributes().string("activation", ""),
            node.attributes().reals("activation_params").orElse(List.of())));
  }

  /** From {@code [n, spatial..., c]} to {@code [n, c, spatial...]}. */
  static Expr channelsSecond(NodeContext node, Expr x) {
    int rank = node.rank(x);
    return new Emitter(node)
        .permute(
            x, IntStream.range(0, rank).map(i -> i == 0 ? 0 : i == 1 ? rank - 1 : i - 1).toArray());
  }

  /** From {@code [n, c, spatial...]} to {@code [n, spatial..., c]}. */
  static Expr channelsLast(NodeContext node, Expr x) {
    int rank = node.rank(x);
    return new Emitter(node)
        .permute(
            x, IntStream.range(0, rank).map(i -> i == 0 ? 0 : i == rank - 1 ? 1 : i + 1).toArray());
  }
}
