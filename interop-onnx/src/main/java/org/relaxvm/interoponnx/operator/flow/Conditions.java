package org.relaxvm.interoponnx.operator.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.PrimExpr;

/** Booleans that decide what is computed: tensors of one element. */
final class Conditions {
  /** A condition that holds. */
  static final Operand TRUE = new Known(DType.BOOL, Shape.of(), List.of(Element.of(true)));

  private Conditions() {}

  /** The boolean, if it is known. */
  static Optional<Boolean> known(NodeContext node, Operand operand) {
    return node.known(operand)
        .filter(known -> known.elements().size() == 1)
        .flatMap(Known::longs)
        .map(values -> values.getFirst() != 0);
  }

  /** The boolean as a bool tensor without axes. */
  static Expr scalar(NodeContext node, Operand operand) {
    Expr value = node.leaf(operand);
    List<PrimExpr> dims = node.dims(value);
    Expr flat = dims.isEmpty() ? value : node.emit(Ops.reshape(value, new ShapeExpr(List.of())));
    return node.dtype(flat).equals(DType.BOOL) ? flat : node.emit(Ops.astype(flat, DType.BOOL));
  }

  /** Known tensors of one dtype and shape along a new first axis. */
  static Optional<Known> stacked(List<Known> parts) {
    Known first = parts.getFirst();
    List<Element> elements = new ArrayList<>();
    for (Known part : parts) {
      if (!part.dtype().equals(first.dtype()) || !part.shape().equals(first.shape())) {
        return Optional.empty();
      }
      elements.addAll(part.elements());
    }
    long[] inner = first.shape().toArray();
    long[] dims = new long[inner.length + 1];
    dims[0] = parts.size();
    System.arraycopy(inner, 0, dims, 1, inner.length);
    return Optional.of(new Known(first.dtype(), Shape.of(dims), elements));
  }
}
