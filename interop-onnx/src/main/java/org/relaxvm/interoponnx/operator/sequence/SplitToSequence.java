package org.relaxvm.interoponnx.operator.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.flow.Counting;
import org.relaxvm.interoponnx.operator.shape.Parts;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** A tensor as a sequence of its parts along an axis. */
final class SplitToSequence {
  /** Longer sequences are lists of the program. */
  private static final long MOST_KNOWN = 256;

  private final NodeContext node;
  private final Expr x;
  private final int axis;
  private final PrimExpr extent;

  private SplitToSequence(NodeContext node) {
    this.node = node;
    this.x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    this.axis = node.axis(node.attributes().integer("axis", 0), dims.size());
    if (dims.isEmpty()) {
      throw node.unsupported("a tensor without axes cannot be split", "");
    }
    this.extent = dims.get(axis);
  }

  /** A number is the size of all parts but the last; without it, all are of 1. */
  static List<Operand> split(NodeContext node) {
    SplitToSequence split = new SplitToSequence(node);
    if (!node.has(1)) {
      return List.of(split.chunks(IntImm.of(1), !node.attributes().flag("keepdims", true)));
    }
    List<PrimExpr> sizes = node.typeOf(node.operand(1)).dims().orElse(List.of());
    if (sizes.isEmpty()) {
      return List.of(split.chunks(node.extents(1).getFirst(), false));
    }
    return List.of(
        sizes.getFirst() instanceof IntImm ? split.parts(node.extents(1)) : split.listOfSizes());
  }

  /** Parts of one size; the last one has what is left. */
  private Operand chunks(PrimExpr size, boolean dropsAxis) {
    if (size instanceof IntImm number && number.value() < 1) {
      throw node.unsupported(
          "parts of " + number.value() + " are asked for; expected 1 or more", "");
    }
    PrimExpr count = node.analyzer().simplify(Exprs.ceilDiv(extent, size));
    if (count instanceof IntImm number && number.value() <= MOST_KNOWN) {
      List<Operand> parts = new ArrayList<>();
      for (long i = 0; i < number.value(); i++) {
        parts.add(chunk(IntImm.of(i), size, dropsAxis));
      }
      return new Operand.Sequence(parts);
    }
    return Counting.fold(
            node,
            count,
            List.of(new Operand.Sequence(List.of())),
            (i, lists) ->
                List.of(
                    Lists.inserted(
                        node,
                        Lists.of(node, lists.getFirst()),
                        chunk(i, size, dropsAxis),
                        Optional.empty())))
        .getFirst();
  }

  private Operand chunk(PrimExpr index, PrimExpr size, boolean dropsAxis) {
    PrimExpr begin = Exprs.mul(index, size);
    PrimExpr end =
        size instanceof IntImm number && number.value() == 1
            ? Exprs.add(begin, 1)
            : Exprs.min(Exprs.add(begin, size), extent);
    Operand part = part(x, begin, end);
    return dropsAxis ? node.operandOf(Ops.squeeze(node.leaf(part), axis)) : part;
  }

  private Operand part(Expr whole, PrimExpr begin, PrimExpr end) {
    return node.operandOf(
        Parts.range(whole, axis, node.analyzer().simplify(begin), node.analyzer().simplify(end)));
  }

  private Operand parts(List<PrimExpr> sizes) {
    Expr whole = Parts.ofSizes(node, x, axis, sizes);
    List<Operand> parts = new ArrayList<>();
    PrimExpr begin = IntImm.of(0);
    for (PrimExpr size : sizes) {
      PrimExpr end = Exprs.add(begin, size);
      parts.add(part(whole, begin, end));
      begin = end;
    }
    return new Operand.Sequence(parts);
  }

  /** Sizes of which neither the number nor the values are known. */
  private Operand listOfSizes() {
    Expr sizes = node.tensor(1);
    Expr sum = node.emit(Ops.sum(Dtypes.cast(node, sizes, DType.INT64), List.of(0), true));
    Expr whole = Parts.ofSizes(node, x, axis, node.extents(node.operandOf(sum)));
    Operand start = Known.vector(List.of(IntImm.of(0)));
    return Counting.fold(
            node,
            node.dims(sizes).getFirst(),
            List.of(new Operand.Sequence(List.of()), start),
            (i, values) -> withPart(whole, sizes, i, values))
        .getFirst();
  }

  /** The list with the part of a size, and where the next part begins. */
  private List<Operand> withPart(Expr whole, Expr sizes, PrimExpr i, List<Operand> values) {
    Expr given = node.emit(Parts.range(sizes, 0, i, Exprs.add(i, 1)));
    PrimExpr size = node.extents(node.operandOf(given)).getFirst();
    PrimExpr from = node.extents(values.get(1)).getFirst();
    PrimExpr to = Exprs.add(from, size);
    return List.of(
        Lists.inserted(
            node, Lists.of(node, values.getFirst()), part(whole, from, to), Optional.empty()),
        Known.vector(List.of(to)));
  }
}
