package org.relaxvm.interoponnx.operator.normalization;

import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Normalizations of items one by one: in groups of channels, or each channel for itself. */
public final class GroupNormalizations {
  private static final int PER_CHANNEL = 21;

  private GroupNormalizations() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("GroupNormalization", 18, GroupNormalizations::groupNormalization)
        .add("InstanceNormalization", 1, GroupNormalizations::instanceNormalization);
  }

  private static double epsilon(NodeContext node) {
    return node.attributes().real("epsilon", 1e-5f);
  }

  private static List<Integer> spatial(NodeContext node, Expr x) {
    return IntStream.range(2, node.rank(x)).boxed().toList();
  }

  private static PrimExpr channels(NodeContext node, Expr x) {
    List<PrimExpr> dims = node.dims(x);
    if (dims.size() < 2) {
      throw node.unsupported("its input has " + dims.size() + " axes; expected 2 or more", "");
    }
    return dims.get(1);
  }

  /** Until version 20 there is a scale for each group, since then for each channel. */
  private static List<Operand> groupNormalization(NodeContext node) {
    Expr x = node.tensor(0);
    PrimExpr channels = channels(node, x);
    long groups = node.attributes().requiredInteger("num_groups");
    if (groups < 1 || groups > Integer.MAX_VALUE) {
      throw node.unsupported("num_groups is " + groups + "; expected 1 or more", "");
    }
    Expr scale = vector(node, 1);
    Expr bias = vector(node, 2);
    if (node.version() < PER_CHANNEL) {
      scale = repeated(node, scale, groups, channels);
      bias = repeated(node, bias, groups, channels);
    }
    return node.result(
        Norms.groupNorm(
            x,
            node.assume(scale, List.of(channels)),
            node.assume(bias, List.of(channels)),
            (int) groups,
            1,
            spatial(node, x),
            epsilon(node)));
  }

  private static Expr repeated(NodeContext node, Expr perGroup, long groups, PrimExpr channels) {
    PrimExpr each = node.analyzer().simplify(Exprs.floorDiv(channels, groups));
    Expr column = node.emit(Ops.reshape(perGroup, groups, 1));
    Expr rows = node.emit(Ops.broadcastTo(column, IntImm.of(groups), each));
    PrimExpr all = node.analyzer().simplify(Exprs.mul(each, groups));
    return node.emit(Ops.reshape(rows, new ShapeExpr(List.of(all))));
  }

  private static List<Operand> instanceNormalization(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> channels = List.of(channels(node, x));
    return node.result(
        Norms.instanceNorm(
            x,
            node.assume(vector(node, 1), channels),
            node.assume(vector(node, 2), channels),
            1,
            spatial(node, x),
            epsilon(node)));
  }

  private static Expr vector(NodeContext node, int input) {
    Expr parameter = node.tensor(input);
    if (node.rank(parameter) != 1) {
      throw node.unsupported(
          "input " + input + " has " + node.rank(parameter) + " axes; expected 1", "");
    }
    return parameter;
  }
}
