package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.tir.expr.IntImm;

/** Numbers of attributes and inputs as tensors. */
final class Numbers {
  private Numbers() {}

  /** An input in float32, or in float64 when it is of that. */
  static Expr real(NodeContext node, int input) {
    Expr x = node.tensor(input);
    DType dtype = node.dtype(x);
    return dtype.isFloat() && dtype.bits() >= 32 ? x : node.emit(Ops.astype(x, DType.FLOAT32));
  }

  /** A value in another dtype. */
  static Expr as(NodeContext node, Expr x, DType dtype) {
    return node.dtype(x).equals(dtype) ? x : node.emit(Ops.astype(x, dtype));
  }

  /** Numbers as a constant of a floating-point dtype. */
  static Expr reals(DType dtype, double[] values, long... dims) {
    Shape shape = Shape.of(dims);
    if (dtype.equals(DType.FLOAT64)) {
      return new Constant(Tensor.of(values, shape));
    }
    float[] narrow = new float[values.length];
    for (int i = 0; i < narrow.length; i++) {
      narrow[i] = (float) values[i];
    }
    return new Constant(Tensor.of(narrow, shape));
  }

  /** Integers as an int64 constant. */
  static Expr integers(long[] values, long... dims) {
    return new Constant(Tensor.of(values, Shape.of(dims)));
  }

  /** Integers as an int32 constant. */
  static Expr indices(int[] values, long... dims) {
    return new Constant(Tensor.of(values, Shape.of(dims)));
  }

  /** The numbers of an attribute that is a list or, with a suffix, a tensor of doubles. */
  static Optional<double[]> list(NodeContext node, String name) {
    Optional<double[]> list =
        node.attributes()
            .reals(name)
            .map(values -> values.stream().mapToDouble(Float::doubleValue).toArray());
    return list.or(
        () ->
            node.attributes()
                .tensor(name + "_as_tensor")
                .map(proto -> tensor(node, proto).toDoubleArray()));
  }

  /** The elements of a tensor of the file. */
  static Tensor tensor(NodeContext node, TensorProto proto) {
    return ((Constant) node.leaf(node.weight(proto))).data();
  }

  /** The integers of an attribute; none where it is missing. */
  static long[] integers(NodeContext node, String name) {
    return node.attributes().integers(name).orElse(List.of()).stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  /** The number of columns of a matrix, which must be known. */
  static int columns(NodeContext node, Expr x) {
    if (node.dims(x).getLast() instanceof IntImm number && number.value() <= Integer.MAX_VALUE) {
      return (int) number.value();
    }
    throw node.unsupported(
        "the number of features is not known", "give the input a shape (--shape), or bind it");
  }

  /** The value as a matrix: a vector is one row. */
  static Expr matrix(NodeContext node, Expr x) {
    return switch (node.rank(x)) {
      case 1 -> node.emit(Ops.expandDims(x, 0));
      case 2 -> x;
      default ->
          throw node.unsupported("the input has " + node.rank(x) + " axes; expected 1 or 2", "");
    };
  }

  /** A number that combines with tensors of a dtype. */
  static Expr number(DType dtype, double value) {
    return Ops.scalar(dtype, value);
  }
}
