package org.relaxvm.interoponnx.operator.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.index.DataDependent;
import org.relaxvm.compiler.op.index.Gathers;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.op.reduce.Orderings;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.RuntimeNumbers;
import org.relaxvm.interoponnx.operator.known.KnownLookups;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;

/** Elements found by their values, and elements in order. */
public final class Searches {
  private Searches() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("NonZero", 9, Searches::nonZero, KnownLookups::nonZero)
        .add("Compress", 9, Searches::compress)
        .add("Unique", 11, Searches::unique)
        .add("TopK", 1, Searches::topK)
        .add("OneHot", 9, Searches::oneHot);
  }

  /** The indices of the elements that are not 0: {@code [rank, n]}, with a symbol for n. */
  private static Expr indices(NodeContext node, Expr x) {
    Expr found = node.builder().emit(DataDependent.nonzero(x), node.hint() + "_found");
    List<PrimExpr> dims = List.of(IntImm.of(node.rank(x)), node.symbol("count"));
    return node.matchCast(found, TensorType.of(DType.INT64, dims));
  }

  private static List<Operand> nonZero(NodeContext node) {
    return node.result(indices(node, node.tensor(0)));
  }

  /** The condition may be shorter than the axis; without an axis the tensor is flattened. */
  private static List<Operand> compress(NodeContext node) {
    Expr x = node.tensor(0);
    Expr found = indices(node, node.tensor(1));
    Expr positions = node.emit(Ops.reshape(found, new ShapeExpr(node.dims(found).subList(1, 2))));
    Optional<Long> axis = node.attributes().integer("axis");
    return axis.isPresent()
        ? node.result(Ops.take(x, positions, node.axis(axis.get(), node.rank(x))))
        : node.result(Ops.take(node.emit(Ops.flatten(x)), positions, 0));
  }

  // ---------------------------------------------------------------- distinct elements

  private static List<Operand> unique(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    Optional<Integer> axis =
        node.attributes().integer("axis").map(given -> node.axis(given, dims.size()));
    List<Expr> args = new ArrayList<>(List.of(x));
    args.add(PrimValue.of(node.attributes().flag("sorted", true)));
    for (int output = 1; output < 4; output++) {
      args.add(PrimValue.of(node.wants(output)));
    }
    axis.ifPresent(number -> args.add(PrimValue.of(number)));
    Expr all =
        node.builder()
            .emit(Call.of(DataDependent.UNIQUE, args.toArray(Expr[]::new)), node.hint() + "_all");
    PrimExpr count = node.symbol("count");
    PrimExpr items =
        axis.map(dims::get).orElseGet(() -> node.analyzer().simplify(Exprs.product(dims)));
    List<PrimExpr> shape =
        axis.map(number -> AxisLists.with(dims, number, count)).orElse(List.of(count));
    return results(node, all, TensorType.of(node.dtype(x), shape), count, items);
  }

  private static List<Operand> results(
      NodeContext node, Expr all, TensorType values, PrimExpr count, PrimExpr items) {
    boolean isTuple = node.wants(1) || node.wants(2) || node.wants(3);
    List<Operand> results = new ArrayList<>();
    int next = 0;
    for (int output = 0; output < 4; output++) {
      if (output > 0 && !node.wants(output)) {
        results.add(new Operand.Unavailable());
        continue;
      }
      Expr part = isTuple ? node.builder().emit(new TupleGetItem(all, next++), node.hint()) : all;
      TensorType type =
          output == 0 ? values : TensorType.of(DType.INT64, List.of(output == 2 ? items : count));
      results.add(node.operandOf(node.matchCast(part, type)));
    }
    return results;
  }

  // ---------------------------------------------------------------- order

  /** The number is an attribute before version 10. Of equal elements the first ones are taken. */
  private static List<Operand> topK(NodeContext node) {
    Expr x = node.tensor(0);
    int axis = node.axis(node.attributes().integer("axis", -1), node.rank(x));
    boolean largest = node.attributes().flag("largest", true);
    PrimExpr k =
        node.version() < 10
            ? IntImm.of(node.attributes().requiredInteger("k"))
            : RuntimeNumbers.extent(node, 1);
    if (k instanceof IntImm number && number.value() > 0 && number.value() < Integer.MAX_VALUE) {
      Expr both = node.emit(Orderings.topk(x, (int) number.value(), axis, largest, DType.INT64));
      return node.results(List.of(new TupleGetItem(both, 0), new TupleGetItem(both, 1)));
    }
    Expr order = node.emit(Orderings.argsort(x, axis, largest, DType.INT64));
    Expr first =
        node.emit(
            Slices.stridedSlice(
                order,
                RuntimeNumbers.tuple(List.of(IntImm.of(axis))),
                RuntimeNumbers.tuple(List.of(IntImm.of(0))),
                RuntimeNumbers.tuple(List.of(k)),
                RuntimeNumbers.tuple(List.of(IntImm.of(1))),
                false));
    return node.results(List.of(Gathers.gatherElements(x, first, axis), first));
  }

  /** Indices outside of {@code -depth} to {@code depth - 1} give the first of the values only. */
  private static List<Operand> oneHot(NodeContext node) {
    Expr indices = node.emit(Ops.astype(node.tensor(0), DType.INT64));
    PrimExpr depth = RuntimeNumbers.extent(node, 1);
    Expr values = node.tensor(2);
    int rank = node.rank(indices) + 1;
    int axis = node.axis(node.attributes().integer("axis", -1), rank);
    Expr negative = node.emit(Ops.less(indices, Ops.scalar(DType.INT64, 0)));
    Expr wrapped = node.emit(Ops.add(indices, new PrimValue(depth)));
    Expr position = node.emit(Ops.where(negative, wrapped, indices));
    Expr range = node.emit(Ops.arange(new PrimValue(depth), DType.INT64));
    List<PrimExpr> column = new ArrayList<>(List.of(depth));
    for (int i = axis + 1; i < rank; i++) {
      column.add(IntImm.of(1));
    }
    Expr along = node.emit(Ops.reshape(range, new ShapeExpr(column)));
    Expr isThere = node.emit(Ops.equal(node.emit(Ops.expandDims(position, axis)), along));
    Expr off = node.emit(Ops.take(values, PrimValue.of(0), 0));
    Expr on = node.emit(Ops.take(values, PrimValue.of(1), 0));
    return node.result(Ops.where(isThere, on, off));
  }
}
