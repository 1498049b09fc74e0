package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;

/** The kernel function of a support vector machine. */
record Kernel(String type, double gamma, double offset, double degree) {

  static Kernel of(NodeContext node) {
    double[] params = Numbers.list(node, "kernel_params").orElse(new double[0]);
    String type = node.attributes().string("kernel_type", "LINEAR");
    if (!List.of("LINEAR", "POLY", "RBF", "SIGMOID").contains(type)) {
      throw node.unsupported(
          "kernel_type is '" + type + "'; expected LINEAR, POLY, RBF or SIGMOID", "");
    }
    if (params.length != 0 && params.length != 3) {
      throw node.unsupported("kernel_params has " + params.length + " numbers; expected 3", "");
    }
    return params.length == 0
        ? new Kernel(type, 0, 0, 0)
        : new Kernel(type, params[0], params[1], params[2]);
  }

  /**
   * The kernel of each row with each support vector.
   *
   * @param x of shape [n, features]
   * @param vectors row after row
   */
  Expr apply(NodeContext node, Expr x, double[] vectors, int count) {
    DType dtype = node.dtype(x);
    int features = vectors.length / count;
    if (type.equals("RBF")) {
      Expr rows = node.emit(Ops.expandDims(x, 1));
      Expr difference =
          node.emit(Ops.subtract(rows, Numbers.reals(dtype, vectors, count, features)));
      Expr squares = node.emit(Ops.multiply(difference, difference));
      Expr distance = node.emit(Ops.sum(squares, List.of(2), false));
      return node.emit(Ops.exp(Ops.multiply(distance, Ops.scalar(dtype, -gamma))));
    }
    Expr columns =
        Numbers.reals(dtype, LinearModels.transposed(vectors, count, features), features, count);
    Expr products = node.emit(Ops.matmul(x, columns));
    if (type.equals("LINEAR")) {
      return products;
    }
    Expr scaled =
        node.emit(
            Ops.add(Ops.multiply(products, Ops.scalar(dtype, gamma)), Ops.scalar(dtype, offset)));
    return node.emit(
        type.equals("POLY") ? Ops.power(scaled, Ops.scalar(dtype, degree)) : Ops.tanh(scaled));
  }
}
