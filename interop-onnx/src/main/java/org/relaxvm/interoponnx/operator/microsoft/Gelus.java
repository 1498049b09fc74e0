package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.List;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Gelu functions, biases and softmax with a bias. */
final class Gelus {
  private static final float QUICK = 1.702f;

  private Gelus() {}

  static void addTo(OperatorTable.Builder table) {
    table
        .add(MICROSOFT, "Gelu", node -> node.result(Activations.gelu(node.tensor(0))))
        .add(MICROSOFT, "BiasGelu", node -> node.result(Activations.gelu(sum(node))))
        .add(MICROSOFT, "FastGelu", node -> node.result(Activations.geluTanh(sum(node))))
        .add(MICROSOFT, "QuickGelu", Gelus::quickGelu)
        .add(MICROSOFT, "BiasSplitGelu", Gelus::biasSplitGelu)
        .add(MICROSOFT, "BiasAdd", Gelus::biasAdd)
        .add(MICROSOFT, "BiasSoftmax", Gelus::biasSoftmax);
  }

  /** The first input, plus the second where there is one. */
  private static Expr sum(NodeContext node) {
    Expr x = node.tensor(0);
    if (!node.has(1)) {
      return x;
    }
    List<Expr> both = node.broadcast(List.of(x, node.tensor(1)));
    return new Emitter(node).add(both.get(0), both.get(1));
  }

  private static List<Operand> quickGelu(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    return node.result(
        e.multiply(x, e.sigmoid(e.multiply(x, node.attributes().real("alpha", QUICK)))));
  }

  /** The first half of the last axis times the Gelu of the second half. */
  private static List<Operand> biasSplitGelu(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = sum(node);
    int axis = node.rank(x) - 1;
    PrimExpr width = e.dim(x, axis);
    PrimExpr half = e.simplify(Exprs.floorDiv(width, 2));
    Expr left = e.slice(x, axis, IntImm.of(0), half);
    Expr right = node.emit(Activations.gelu(e.slice(x, axis, half, width)));
    return node.result(e.multiply(left, right));
  }

  private static List<Operand> biasAdd(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr biased = sum(node);
    List<Expr> both = node.broadcast(List.of(biased, node.tensor(2)));
    return node.result(e.add(both.get(0), both.get(1)));
  }

  /**
   * The softmax over all axes from {@code axis} on. The axes of the bias are the last ones of the
   * data, or have an extent of 1; the attribute {@code is_inner_broadcast} follows from that.
   */
  private static List<Operand> biasSoftmax(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    int axis = node.axis(node.attributes().integer("axis", 1), dims.size());
    Expr sum = e.add(x, e.broadcastable(e.withRank(node.tensor(1), dims.size()), dims));
    PrimExpr width = e.simplify(Exprs.product(dims.subList(axis, dims.size())));
    PrimExpr rows = e.simplify(Exprs.product(dims.subList(0, axis)));
    Expr flat = e.reshape(sum, List.of(rows, width));
    return node.result(e.reshape(e.softmax(flat, 1), dims));
  }
}
