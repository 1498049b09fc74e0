package org.relaxvm.interoponnx.operator.window;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Convolutions with one to three spatial axes. */
public final class Convolutions {
  private Convolutions() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table.add("Conv", 1, Convolutions::conv);
  }

  private static List<Operand> conv(NodeContext node) {
    Expr x = node.tensor(0);
    Expr weight = node.tensor(1);
    int spatial = Windows.spatial(node, node.rank(x));
    Windows windows = Windows.of(node, node.dims(x), window(node, weight, spatial));
    if (!windows.isConstant(true)) {
      x = windows.padded(node, x, 0);
      windows = windows.withoutPadding();
    }
    ConvOptions options =
        ConvOptions.DEFAULT
            .withStrides(Windows.array(windows.strides()))
            .withPadding(Windows.array(windows.padding()))
            .withDilation(Windows.array(windows.dilation()))
            .withGroups(groups(node));
    Expr result = org.relaxvm.compiler.op.nn.Convolutions.conv(x, weight, spatial, options);
    return node.result(biased(node, result, node.optional(2), spatial));
  }

  static int groups(NodeContext node) {
    long groups = node.attributes().integer("group", 1);
    if (groups < 1 || groups > Integer.MAX_VALUE) {
      throw node.unsupported("group is " + groups + "; expected 1 or more", "");
    }
    return (int) groups;
  }

  /** The spatial extents of a kernel. */
  static List<Long> window(NodeContext node, Expr weight, int spatial) {
    List<PrimExpr> dims = node.dims(weight);
    if (dims.size() != 2 + spatial) {
      throw node.unsupported(
          "the weights have " + dims.size() + " axes; expected " + (2 + spatial), "");
    }
    List<Long> window = new ArrayList<>();
    for (PrimExpr extent : dims.subList(2, dims.size())) {
      if (!(extent instanceof IntImm number)) {
        throw node.unsupported(
            "the size of its kernel is unknown", "give the weights a shape (--shape)");
      }
      window.add(number.value());
    }
    Optional<List<Long>> given = node.attributes().integers("kernel_shape");
    if (given.isPresent() && !given.get().equals(window)) {
      throw node.unsupported(
          "kernel_shape is " + given.get() + ", but the weights have kernels of " + window, "");
    }
    return window;
  }

  /** With a number added to each channel. */
  static Expr biased(NodeContext node, Expr result, Optional<Expr> bias, int spatial) {
    if (bias.isEmpty()) {
      return result;
    }
    Expr plain = node.emit(result);
    List<PrimExpr> shape = new ArrayList<>(List.of(node.dims(plain).get(1)));
    shape.addAll(Collections.nCopies(spatial, IntImm.of(1)));
    Expr column = node.emit(Ops.reshape(bias.get(), new ShapeExpr(shape)));
    return Ops.add(plain, column);
  }
}
