package org.relaxvm.interoponnx.operator.quantized;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.create.Ranges;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * How scales and zero points lie along a tensor: one for all of it, one for each index of an axis,
 * or one for each block along an axis.
 *
 * @param dims of the tensor
 * @param givenAxis what the node says; parameters for the whole tensor allow axes that it has not
 * @param blockSize 0 where there are no blocks
 */
record QuantizationParameters(List<PrimExpr> dims, long givenAxis, long blockSize) {
  /** Copies the list. */
  QuantizationParameters {
    dims = List.copyOf(dims);
  }

  /** What the attributes {@code axis} and {@code block_size} of a node say about a tensor. */
  static QuantizationParameters of(NodeContext node, List<PrimExpr> dims, long defaultAxis) {
    long blockSize = node.attributes().integer("block_size", 0);
    if (blockSize < 0) {
      throw node.unsupported("block_size is " + blockSize + "; expected 0 or more", "");
    }
    return new QuantizationParameters(
        dims, node.attributes().integer("axis", defaultAxis), blockSize);
  }

  private boolean hasAxis() {
    return givenAxis >= -dims.size() && givenAxis < dims.size();
  }

  /** The axis from 0; any where the tensor has none such, for parameters of the whole tensor. */
  int axis() {
    return hasAxis() ? Math.floorMod(givenAxis, dims.size()) : Math.max(dims.size() - 1, 0);
  }

  private void requireAxis(NodeContext node) {
    if (!hasAxis()) {
      throw node.unsupported(
          "axis is "
              + givenAxis
              + ", and a scale or zero point has more than one element; expected one of the "
              + dims.size()
              + " axes of the input",
          "");
    }
  }

  /** Whether a parameter counts for the whole tensor. */
  static boolean isScalar(NodeContext node, Expr parameter) {
    return node.dims(parameter).stream().allMatch(extent -> extent.equals(IntImm.of(1)));
  }

  /** Whether an operator of the compiler takes the parameter: a scalar, or one axis. */
  boolean isPlain(NodeContext node, Expr parameter) {
    return blockSize == 0 || isScalar(node, parameter);
  }

  /** The parameter without axes, or with one. */
  Expr plain(NodeContext node, Expr parameter) {
    if (isScalar(node, parameter)) {
      return node.rank(parameter) == 0
          ? parameter
          : node.emit(Ops.reshape(parameter, new ShapeExpr(List.of())));
    }
    requireOneAxis(node, parameter);
    return parameter;
  }

  /** The parameter with axes so that it broadcasts to the tensor. */
  Expr placed(NodeContext node, Expr parameter) {
    if (isScalar(node, parameter)) {
      return plain(node, parameter);
    }
    if (blockSize > 0) {
      return repeated(node, parameter);
    }
    requireOneAxis(node, parameter);
    int axis = axis();
    if (axis == dims.size() - 1) {
      return parameter;
    }
    List<PrimExpr> shape = new ArrayList<>(Collections.nCopies(dims.size() - axis, IntImm.of(1)));
    shape.set(0, node.dims(parameter).getFirst());
    return node.emit(Ops.reshape(parameter, new ShapeExpr(shape)));
  }

  private void requireOneAxis(NodeContext node, Expr parameter) {
    requireAxis(node);
    if (node.rank(parameter) != 1) {
      throw node.unsupported(
          "a scale or zero point has "
              + node.rank(parameter)
              + " axes without blocks; expected none, or one",
          "");
    }
  }

  private Expr repeated(NodeContext node, Expr parameter) {
    requireAxis(node);
    int axis = axis();
    if (node.rank(parameter) != dims.size()) {
      throw node.unsupported(
          "a scale of blocks has "
              + node.rank(parameter)
              + " axes; expected "
              + dims.size()
              + ", as many as the input",
          "");
    }
    PrimExpr blocks = node.dims(parameter).get(axis);
    PrimExpr extent = dims.get(axis);
    if (blocks instanceof IntImm count && extent instanceof IntImm known) {
      Expr all = node.emit(Repeats.repeat(parameter, blockSize, axis));
      if (count.value() * blockSize == known.value()) {
        return all;
      }
      return node.emit(
          Slices.stridedSlice(all, List.of((long) axis), List.of(0L), List.of(known.value())));
    }
    Expr positions =
        node.emit(
            Ranges.arange(PrimValue.of(0), new PrimValue(extent), PrimValue.of(1), DType.INT64));
    Expr block = node.emit(Arithmetic.floorDivide(positions, Ops.scalar(DType.INT64, blockSize)));
    return node.emit(Ops.take(parameter, block, axis));
  }

  /** A zero point that is there, unless it is known to be 0. */
  static Optional<Expr> zeroPoint(NodeContext node, int input) {
    if (!node.has(input)) {
      return Optional.empty();
    }
    Operand zero = node.operand(input);
    if (node.lowBit(zero).isPresent()) {
      return Optional.of(DTypeCasts.numbers(node, zero));
    }
    boolean isNone = node.known(zero).filter(QuantizationParameters::isZero).isPresent();
    return isNone ? Optional.empty() : Optional.of(node.leaf(zero));
  }

  private static boolean isZero(Known known) {
    return known.elements().stream()
        .allMatch(
            element ->
                switch (element) {
                  case Element.Int(PrimExpr value) -> value.equals(IntImm.of(0));
                  case Element.Real(double value) -> value == 0;
                  case Element.Ratio ratio -> false;
                });
  }
}
