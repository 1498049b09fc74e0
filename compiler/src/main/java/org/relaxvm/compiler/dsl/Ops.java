package org.relaxvm.compiler.dsl;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.op.core.ValueOps;
import org.relaxvm.compiler.op.create.Fills;
import org.relaxvm.compiler.op.create.Matrices;
import org.relaxvm.compiler.op.create.Ranges;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.op.elementwise.Conversions;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.elementwise.Logic;
import org.relaxvm.compiler.op.index.Searches;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.op.index.Takes;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.shape.Joins;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.op.shape.Splits;
import org.relaxvm.compiler.op.shape.UnitAxes;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;

/**
 * The most common operators, for static import; those of neural networks are in {@link NnOps}. All
 * others are in the packages of their families, below {@code org.relaxvm.compiler.op}.
 *
 * <pre>{@code
 * import static org.relaxvm.compiler.dsl.NnOps.relu;
 * import static org.relaxvm.compiler.dsl.Ops.*;
 *
 * ModuleBuilder model = new ModuleBuilder();
 * Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(784));
 * model.output("hidden", relu(add(matmul(x, constant(weight)), constant(bias))));
 * }</pre>
 *
 * <p>Numbers beside tensors are {@link #scalar} values of the dtype of the tensors.
 */
public final class Ops {
  private Ops() {}

  // ---------------------------------------------------------------- values

  /** A tensor that is known; it is borrowed as {@link Constant} says. */
  public static Constant constant(Tensor data) {
    return new Constant(data);
  }

  /**
   * A number.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the dtype is one of integers and
   *     does not have the number
   */
  public static PrimValue scalar(DType dtype, double value) {
    return new PrimValue(
        dtype.equals(DType.BOOL) ? IntImm.of(value != 0) : Exprs.constant(dtype, value));
  }

  /** A shape of numbers and int64 expressions. */
  public static ShapeExpr shape(Object... dims) {
    return ShapeExpr.of(dims);
  }

  // ---------------------------------------------------------------- arithmetic

  /** {@code a + b}, broadcast. */
  public static Call add(Expr a, Expr b) {
    return Arithmetic.add(a, b);
  }

  /** {@code a - b}, broadcast. */
  public static Call subtract(Expr a, Expr b) {
    return Arithmetic.subtract(a, b);
  }

  /** {@code a * b}, broadcast. */
  public static Call multiply(Expr a, Expr b) {
    return Arithmetic.multiply(a, b);
  }

  /** {@code a / b}, broadcast; integers round towards 0. */
  public static Call divide(Expr a, Expr b) {
    return Arithmetic.divide(a, b);
  }

  /** {@code a} to the power of {@code b}, broadcast. */
  public static Call power(Expr a, Expr b) {
    return Arithmetic.power(a, b);
  }

  /** The larger one, broadcast. */
  public static Call maximum(Expr a, Expr b) {
    return Arithmetic.maximum(a, b);
  }

  /** The smaller one, broadcast. */
  public static Call minimum(Expr a, Expr b) {
    return Arithmetic.minimum(a, b);
  }

  /** Whether both are equal, broadcast. */
  public static Call equal(Expr a, Expr b) {
    return Comparisons.equal(a, b);
  }

  /** {@code a < b}, broadcast. */
  public static Call less(Expr a, Expr b) {
    return Comparisons.less(a, b);
  }

  /** {@code a > b}, broadcast. */
  public static Call greater(Expr a, Expr b) {
    return Comparisons.greater(a, b);
  }

  /** Whether both are true, broadcast. */
  public static Call logicalAnd(Expr a, Expr b) {
    return Logic.logicalAnd(a, b);
  }

  // ---------------------------------------------------------------- functions of elements

  /** {@code -x}. */
  public static Call negative(Expr x) {
    return Functions.negative(x);
  }

  /** The absolute value. */
  public static Call abs(Expr x) {
    return Functions.abs(x);
  }

  /** The exponential function. */
  public static Call exp(Expr x) {
    return Functions.exp(x);
  }

  /** The natural logarithm. */
  public static Call log(Expr x) {
    return Functions.log(x);
  }

  /** The square root. */
  public static Call sqrt(Expr x) {
    return Functions.sqrt(x);
  }

  /** One divided by the square root. */
  public static Call rsqrt(Expr x) {
    return Functions.rsqrt(x);
  }

  /** {@code x * x}. */
  public static Call square(Expr x) {
    return Functions.square(x);
  }

  /** The sine. */
  public static Call sin(Expr x) {
    return Functions.sin(x);
  }

  /** The cosine. */
  public static Call cos(Expr x) {
    return Functions.cos(x);
  }

  /** The hyperbolic tangent. */
  public static Call tanh(Expr x) {
    return Functions.tanh(x);
  }

  /** The error function. */
  public static Call erf(Expr x) {
    return Functions.erf(x);
  }

  /** {@code 1 / (1 + exp(-x))}. */
  public static Call sigmoid(Expr x) {
    return Functions.sigmoid(x);
  }

  /** The elements within bounds, which are scalars. */
  public static Call clip(Expr x, Expr min, Expr max) {
    return Conversions.clip(x, min, max);
  }

  /** The elements as another dtype. */
  public static Call astype(Expr x, DType dtype) {
    return Conversions.astype(x, dtype);
  }

  /** {@code a} where a condition is true, else {@code b}; all broadcast. */
  public static Call where(Expr condition, Expr a, Expr b) {
    return Searches.where(condition, a, b);
  }

  // ---------------------------------------------------------------- creation

  /** 0 in a shape. */
  public static Call zeros(Expr shape, DType dtype) {
    return Fills.zeros(shape, dtype);
  }

  /** 1 in a shape. */
  public static Call ones(Expr shape, DType dtype) {
    return Fills.ones(shape, dtype);
  }

  /** A value, which is a tensor without axes, in a shape. */
  public static Call full(Expr shape, Expr value) {
    return Fills.full(shape, value);
  }

  /** {@code 0, 1, ..., end - 1}, with an end that is a scalar. */
  public static Call arange(Expr end, DType dtype) {
    return Ranges.arange(PrimValue.of(0), end, PrimValue.of(1), dtype);
  }

  /** Matrices with 0 above a diagonal. */
  public static Call tril(Expr x, long k) {
    return Matrices.tril(x, k);
  }

  /** Matrices with 0 below a diagonal. */
  public static Call triu(Expr x, long k) {
    return Matrices.triu(x, k);
  }

  // ---------------------------------------------------------------- shapes

  /** The elements in another shape; one extent may be -1. */
  public static Call reshape(Expr x, Object... dims) {
    return Reshapes.reshape(x, dims);
  }

  /** The elements in another shape. */
  public static Call reshape(Expr x, Expr shape) {
    return Reshapes.reshape(x, shape);
  }

  /** The elements on one axis. */
  public static Call flatten(Expr x) {
    return Reshapes.flatten(x);
  }

  /** The axes in another order. */
  public static Call permuteDims(Expr x, Integer... axes) {
    return Orders.permuteDims(x, axes);
  }

  /** The axes in reverse order. */
  public static Call transpose(Expr x) {
    return Orders.transpose(x);
  }

  /** New axes of extent 1, at positions in the result. */
  public static Call expandDims(Expr x, Integer... axes) {
    return UnitAxes.expandDims(x, axes);
  }

  /** Axes of extent 1 taken away. */
  public static Call squeeze(Expr x, Integer... axes) {
    return UnitAxes.squeeze(x, axes);
  }

  /** The tensor repeated up to extents. */
  public static Call broadcastTo(Expr x, Object... dims) {
    return UnitAxes.broadcastTo(x, dims);
  }

  /** Tensors concatenated along an axis. */
  public static Call concat(List<? extends Expr> tensors, int axis) {
    return Joins.concat(tensors, axis);
  }

  /** All elements of tensors in row-major order, concatenated on one axis. */
  public static Call concat(List<? extends Expr> tensors) {
    return Joins.concat(tensors);
  }

  /** Tensors of one shape along a new axis. */
  public static Call stack(List<? extends Expr> tensors, int axis) {
    return Joins.stack(tensors, axis);
  }

  /** Sections of equal extents along an axis: a tuple; one alone is no tuple. */
  public static Call split(Expr x, int sections, int axis) {
    return Splits.split(x, sections, axis);
  }

  /** The parts between positions along an axis: a tuple. */
  public static Call split(Expr x, List<Integer> positions, int axis) {
    return Splits.split(x, positions, axis);
  }

  /** Slices along an axis at the indices that a tensor of integers or a scalar says. */
  public static Call take(Expr x, Expr indices, int axis) {
    return Takes.take(x, indices, axis);
  }

  /** The elements from begin to end, exclusive, along some axes. */
  public static Call stridedSlice(Expr x, List<Long> axes, List<Long> begin, List<Long> end) {
    return Slices.stridedSlice(x, axes, begin, end);
  }

  // ---------------------------------------------------------------- sums and products

  /** The matrix product, also of batches of matrices. */
  public static Call matmul(Expr a, Expr b) {
    return Linear.matmul(a, b);
  }

  /** The sum over some axes. */
  public static Call sum(Expr x, List<Integer> axes, boolean keepDims) {
    return Reductions.sum(x, axes, keepDims);
  }

  /** The mean over some axes. */
  public static Call mean(Expr x, List<Integer> axes, boolean keepDims) {
    return Reductions.mean(x, axes, keepDims);
  }

  /** The largest element over some axes. */
  public static Call max(Expr x, List<Integer> axes, boolean keepDims) {
    return Reductions.max(x, axes, keepDims);
  }

  /** The index of the largest element along an axis: int64. */
  public static Call argmax(Expr x, int axis, boolean keepDims) {
    return Reductions.argmax(x, axis, keepDims);
  }

  /** A product with a transposed matrix, and a sum: what layers of networks compute. */
  public static Call linear(Expr x, Expr weight, Expr bias) {
    return add(matmul(x, transpose(weight)), bias);
  }

  /** A copy of a tensor on a virtual device of the module. */
  public static Call toVDevice(Expr x, VDevice vdevice) {
    return Call.of(ValueOps.TO_VDEVICE, List.of(x), Attrs.of("dst_vdevice", vdevice.toString()));
  }

  /**
   * The tensor on a virtual device of the module; copied there only if something else puts it
   * elsewhere.
   */
  public static Call hintOnDevice(Expr x, VDevice vdevice) {
    return Call.of(
        ValueOps.HINT_ON_DEVICE, List.of(x), Attrs.of("dst_vdevice", vdevice.toString()));
  }
}
