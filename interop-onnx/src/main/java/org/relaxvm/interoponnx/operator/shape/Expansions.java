package org.relaxvm.interoponnx.operator.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.operator.known.KnownRepeats;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;

/**
 * Tensors that broadcast with a shape: an extent of 1 of either takes that of the other. So does an
 * extent that is at most 1.
 *
 * <p>Where neither extent is known to be 1, and they are not known to be equal, a shape of extents
 * is taken to have equal ones, which is checked when the program runs. A shape that the program
 * computes may have any.
 */
public final class Expansions {
  private Expansions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Expand", 8, Expansions::expand, KnownRepeats::expand);
  }

  private static List<Operand> expand(NodeContext node) {
    boolean isComputed = node.known(1).flatMap(Known::integers).isEmpty();
    List<PrimExpr> target = node.extents(1);
    Expr x = node.tensor(0);
    List<PrimExpr> source = node.dims(x);
    int rank = Math.max(source.size(), target.size());
    List<PrimExpr> dims = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      int own = axis - (rank - source.size());
      int wanted = axis - (rank - target.size());
      if (own < 0) {
        dims.add(target.get(wanted));
        continue;
      }
      PrimExpr extent = source.get(own);
      Optional<PrimExpr> other = wanted < 0 ? Optional.empty() : Optional.of(target.get(wanted));
      Optional<PrimExpr> result = result(node, extent, other);
      if (result.isEmpty() && isComputed) {
        PrimExpr either = Exprs.select(Exprs.eq(extent, IntImm.of(1)), other.orElseThrow(), extent);
        x = repeated(node, x, own, extent, either);
        dims.add(either);
      } else {
        dims.add(result.or(() -> other).orElse(extent));
      }
    }
    return node.result(Ops.broadcastTo(assumed(node, x, dims), dims.toArray()));
  }

  /** The extent of the result; empty where it depends on which of both is 1. */
  private static Optional<PrimExpr> result(
      NodeContext node, PrimExpr extent, Optional<PrimExpr> other) {
    if (other.isEmpty() || isOne(other.get())) {
      return Optional.of(extent);
    }
    if (isOne(extent)) {
      return other;
    }
    if (extent instanceof IntImm || node.analyzer().canProveEqual(extent, other.get())) {
      return Optional.of(extent);
    }
    return node.isAtMostOne(extent) ? other : Optional.empty();
  }

  private static boolean isOne(PrimExpr extent) {
    return extent instanceof IntImm number && number.value() == 1;
  }

  /** An axis whose only element is repeated, if it has one; else the axis as it is. */
  private static Expr repeated(
      NodeContext node, Expr x, int axis, PrimExpr extent, PrimExpr result) {
    Expr range = node.emit(Ops.arange(new PrimValue(result), DType.INT64));
    Expr last = new PrimValue(node.analyzer().simplify(Exprs.sub(extent, 1)));
    return node.emit(Ops.take(x, node.emit(Ops.minimum(range, last)), axis));
  }

  /** The tensor with the extents that are taken to be those of the result. */
  private static Expr assumed(NodeContext node, Expr x, List<PrimExpr> result) {
    List<PrimExpr> dims = node.dims(x);
    List<PrimExpr> wanted = dims;
    for (int own = 0; own < dims.size(); own++) {
      PrimExpr other = result.get(own + result.size() - dims.size());
      if (!isOne(dims.get(own)) && !node.analyzer().canProveEqual(dims.get(own), other)) {
        boolean isRepeated = node.isAtMostOne(dims.get(own));
        wanted = AxisLists.with(wanted, own, isRepeated ? IntImm.of(1) : other);
      }
    }
    return wanted.equals(dims) ? x : node.matchCast(x, node.type(x).withDims(wanted));
  }
}
