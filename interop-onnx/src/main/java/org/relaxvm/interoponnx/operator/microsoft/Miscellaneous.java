package org.relaxvm.interoponnx.operator.microsoft;

import static org.relaxvm.interoponnx.convert.OperatorTable.MICROSOFT;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.index.DataDependent;
import org.relaxvm.compiler.op.linear.Inverse;
import org.relaxvm.compiler.op.reduce.Orderings;
import org.relaxvm.interoponnx.convert.Converter;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Operators that {@code ai.onnx} has, too, in another form, and single ones. */
final class Miscellaneous {
  private Miscellaneous() {}

  static void addTo(OperatorTable.Builder table) {
    table
        .add(MICROSOFT, "Trilu", as("Trilu", 14))
        .add(MICROSOFT, "GridSample", as("GridSample", 16))
        .add(MICROSOFT, "GatherND", as("GatherND", 11))
        .add(MICROSOFT, "Pad", Miscellaneous::pad)
        .add(MICROSOFT, "Range", Miscellaneous::range)
        .add(MICROSOFT, "Unique", Miscellaneous::unique)
        .add(MICROSOFT, "ExpandDims", Miscellaneous::expandDims)
        .add(MICROSOFT, "Inverse", node -> node.result(Inverse.inverse(node.tensor(0))))
        .add(MICROSOFT, "CDist", Miscellaneous::distances)
        .add(MICROSOFT, "RelativePositionBias", Miscellaneous::relativePositionBias);
  }

  private static Converter as(String operator, int version) {
    return node -> node.apply(operator, version, node.givenOperands());
  }

  /** The widths may have a leading axis of extent 1. */
  private static List<Operand> pad(NodeContext node) {
    List<Operand> inputs = new ArrayList<>(node.givenOperands());
    if (inputs.size() > 1 && node.typeOf(node.operand(1)).ndim() == 2) {
      inputs.set(1, flat(node, node.operand(1)));
    }
    return node.apply("Pad", 13, inputs);
  }

  private static Operand flat(NodeContext node, Operand operand) {
    return node.known(operand)
        .<Operand>map(known -> known.withShape(Shape.of(known.elements().size())))
        .orElseGet(
            () -> {
              Emitter e = new Emitter(node);
              Expr x = node.leaf(operand);
              return node.operandOf(e.reshape(x, List.of(e.product(e.dim(x, 0), e.dim(x, 1)))));
            });
  }

  /** The step may be absent; numbers may have an axis of extent 1. */
  private static List<Operand> range(NodeContext node) {
    List<Operand> inputs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      inputs.add(
          node.has(i)
              ? number(node, node.operand(i))
              : one(node, Dtypes.of(node, node.operand(0))));
    }
    return node.apply("Range", 11, inputs);
  }

  private static Operand number(NodeContext node, Operand operand) {
    if (node.typeOf(operand).ndim() == 0) {
      return operand;
    }
    return node.known(operand)
        .<Operand>map(known -> known.withShape(Shape.of()))
        .orElseGet(() -> node.operandOf(Ops.reshape(node.leaf(operand), Ops.shape())));
  }

  private static Operand one(NodeContext node, DType dtype) {
    Element element = dtype.isFloat() ? new Element.Real(1) : Element.of(1);
    return Known.admits(dtype, Shape.of())
        ? new Known(dtype, Shape.of(), List.of(element))
        : node.operandOf(node.scalar(dtype, 1));
  }

  /** In the order of their first occurrence; then where each element is, and how often. */
  private static List<Operand> unique(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr all = node.emit(DataDependent.unique(node.tensor(0), true, true, true));
    Expr values = node.emit(new TupleGetItem(all, 0));
    Expr first = node.emit(new TupleGetItem(all, 1));
    Expr inverse = node.emit(new TupleGetItem(all, 2));
    Expr counts = node.emit(new TupleGetItem(all, 3));
    Expr order = node.emit(Orderings.argsort(first, 0, false, DType.INT64));
    Expr rank = node.emit(Orderings.argsort(order, 0, false, DType.INT64));
    return node.results(
        List.of(
            e.take(values, order, 0),
            e.cast(e.take(rank, inverse, 0), DType.INT64),
            e.cast(e.take(counts, order, 0), DType.INT64)));
  }

  private static List<Operand> expandDims(NodeContext node) {
    Expr x = node.tensor(0);
    List<Long> axes = node.deciding(1, "axes").orElse(List.of());
    if (axes.size() != 1) {
      throw node.unsupported("it has " + axes.size() + " axes; expected one", "");
    }
    return node.result(Ops.expandDims(x, node.axis(axes.getFirst(), node.rank(x) + 1)));
  }

  /** Between all rows of two matrices. */
  private static List<Operand> distances(NodeContext node) {
    Emitter e = new Emitter(node);
    String metric = node.attributes().string("metric", "sqeuclidean");
    if (!metric.equals("sqeuclidean") && !metric.equals("euclidean")) {
      throw node.unsupported(
          "the metric is '" + metric + "'; expected sqeuclidean or euclidean", "");
    }
    Expr a = node.tensor(0);
    Expr b = e.withDims(node.tensor(1), List.of(e.dim(node.tensor(1), 0), e.dim(a, 1)));
    Expr difference = e.subtract(e.unsqueeze(a, 1), e.unsqueeze(b, 0));
    Expr square = node.emit(Ops.sum(e.multiply(difference, difference), List.of(2), false));
    return node.result(metric.equals("euclidean") ? Ops.sqrt(square) : square);
  }

  // ---------------------------------------------------------------- positions

  /**
   * A bias for each distance of key and query, exact for small ones and by logarithm for others.
   * The table has the elements of {@code [heads, buckets]}, although its shape is {@code [buckets,
   * heads]}.
   */
  private static List<Operand> relativePositionBias(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr table = node.tensor(0);
    if (node.rank(table) != 2 || !(e.dim(table, 0) instanceof IntImm buckets)) {
      throw node.unsupported("expected a table of 2 axes with a known number of buckets", "");
    }
    PrimExpr queries = node.extents(1).getFirst();
    PrimExpr keys = node.extents(2).getFirst();
    Expr distance = e.subtract(e.range(keys), e.unsqueeze(e.range(queries), 1));
    Expr bucket = bucket(node, distance, buckets.value());
    Expr byHead = e.reshape(table, List.of(e.dim(table, 1), buckets));
    return node.result(e.unsqueeze(e.take(byHead, bucket, 1), 0));
  }

  private static Expr bucket(NodeContext node, Expr distance, long buckets) {
    Emitter e = new Emitter(node);
    boolean both = node.attributes().flag("is_bidirectional", false);
    long count = both ? buckets / 2 : buckets;
    long exact = count / 2;
    long most = node.attributes().requiredInteger("max_distance");
    Expr zero = e.number(distance, 0);
    Expr size =
        both ? node.emit(Ops.abs(distance)) : node.emit(Ops.maximum(e.negative(distance), zero));
    Expr real = e.cast(node.emit(Ops.maximum(size, e.number(size, 1))), DType.FLOAT32);
    double slope = (count - exact) / Math.log((double) most / exact);
    Expr logarithm =
        e.add(e.multiply(node.emit(Ops.log(e.multiply(real, 1.0 / exact))), slope), exact);
    Expr large = node.emit(Ops.minimum(e.cast(logarithm, DType.INT64), PrimValue.of(count - 1)));
    Expr own = e.where(e.less(size, PrimValue.of(exact)), size, large);
    return both
        ? e.add(
            own,
            e.multiply(
                e.cast(node.emit(Ops.greater(distance, zero)), DType.INT64), PrimValue.of(count)))
        : own;
  }
}
