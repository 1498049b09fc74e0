package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Comparisons;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.compiler.type.PrimText;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Formulas of tensors, each step of which is bound: arguments and results are leaves. Not
 * thread-safe.
 */
public final class Emitter {
  private final NodeContext node;

  /** Emits where a node is translated. */
  public Emitter(NodeContext node) {
    this.node = node;
  }

  // ---------------------------------------------------------------- extents

  /** An extent of a leaf. */
  public PrimExpr dim(Expr x, int axis) {
    return node.dims(x).get(axis);
  }

  /** An extent in messages. */
  public static String text(PrimExpr extent) {
    return PrimText.print(extent);
  }

  /** An extent in its simplest form. */
  public PrimExpr simplify(PrimExpr extent) {
    return node.analyzer().simplify(extent);
  }

  /** The product of extents. */
  public PrimExpr product(PrimExpr a, PrimExpr b) {
    return simplify(Exprs.mul(a, b));
  }

  /** The sum of extents. */
  public PrimExpr sum(PrimExpr a, PrimExpr b) {
    return simplify(Exprs.add(a, b));
  }

  /** The difference of extents. */
  public PrimExpr difference(PrimExpr a, PrimExpr b) {
    return simplify(Exprs.sub(a, b));
  }

  /** Whether extents are surely equal. */
  public boolean areEqual(PrimExpr a, PrimExpr b) {
    return a.equals(b) || node.analyzer().canProveEqual(a, b);
  }

  /** The value with these extents, which is checked at run time where it is not certain. */
  public Expr withDims(Expr x, List<? extends PrimExpr> dims) {
    List<PrimExpr> own = node.dims(x);
    if (own.size() != dims.size()) {
      throw node.unsupported("an input has " + own.size() + " axes; expected " + dims.size(), "");
    }
    boolean isCertain = true;
    for (int i = 0; i < dims.size(); i++) {
      if (own.get(i) instanceof IntImm a
          && dims.get(i) instanceof IntImm b
          && a.value() != b.value()) {
        throw node.unsupported(
            "axis " + i + " of an input is " + a.value() + "; expected " + b.value(), "");
      }
      isCertain &= areEqual(own.get(i), dims.get(i));
    }
    return isCertain ? x : node.matchCast(x, node.type(x).withDims(List.copyOf(dims)));
  }

  /** The value with extents that are 1 or these, which is checked at run time. */
  public Expr broadcastable(Expr x, List<? extends PrimExpr> dims) {
    List<PrimExpr> own = node.dims(x);
    List<PrimExpr> wanted = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      boolean isOne = own.get(i) instanceof IntImm number && number.value() == 1;
      wanted.add(isOne ? own.get(i) : dims.get(i));
    }
    return withDims(x, wanted);
  }

  // ---------------------------------------------------------------- arithmetic

  /** A number of the dtype of a leaf. */
  public PrimValue number(Expr like, double value) {
    return Ops.scalar(node.dtype(like), value);
  }

  /** {@code a + b}. */
  public Expr add(Expr a, Expr b) {
    return node.emit(Ops.add(a, b));
  }

  /** {@code a + b}. */
  public Expr add(Expr a, double b) {
    return node.emit(Ops.add(a, number(a, b)));
  }

  /** {@code a - b}. */
  public Expr subtract(Expr a, Expr b) {
    return node.emit(Ops.subtract(a, b));
  }

  /** {@code a * b}. */
  public Expr multiply(Expr a, Expr b) {
    return node.emit(Ops.multiply(a, b));
  }

  /** {@code a * b}. */
  public Expr multiply(Expr a, double b) {
    return b == 1 ? a : node.emit(Ops.multiply(a, number(a, b)));
  }

  /** {@code a / b}. */
  public Expr divide(Expr a, Expr b) {
    return node.emit(Ops.divide(a, b));
  }

  /** {@code -x}. */
  public Expr negative(Expr x) {
    return node.emit(Ops.negative(x));
  }

  /** The integers modulo an extent. */
  public Expr modulo(Expr x, PrimExpr extent) {
    return node.emit(Arithmetic.floorMod(x, new PrimValue(extent)));
  }

  /** {@code a <= b}. */
  public Expr lessEqual(Expr a, Expr b) {
    return node.emit(Comparisons.lessEqual(a, b));
  }

  /** {@code a < b}. */
  public Expr less(Expr a, Expr b) {
    return node.emit(Ops.less(a, b));
  }

  /** {@code a and b}. */
  public Expr and(Expr a, Expr b) {
    return node.emit(Ops.logicalAnd(a, b));
  }

  /** {@code a} where the condition is true, else {@code b}. */
  public Expr where(Expr condition, Expr a, Expr b) {
    return node.emit(Ops.where(condition, a, b));
  }

  /** The values in another dtype. */
  public Expr cast(Expr x, DType dtype) {
    return node.dtype(x).equals(dtype) ? x : node.emit(Ops.astype(x, dtype));
  }

  /** The logistic function. */
  public Expr sigmoid(Expr x) {
    return node.emit(Ops.sigmoid(x));
  }

  /** The hyperbolic tangent. */
  public Expr tanh(Expr x) {
    return node.emit(Ops.tanh(x));
  }

  /** {@code softmax} along an axis. */
  public Expr softmax(Expr x, int axis) {
    return node.emit(NnOps.softmax(x, axis));
  }

  /** The matrix product. */
  public Expr matmul(Expr a, Expr b) {
    return node.emit(Ops.matmul(a, b));
  }

  // ---------------------------------------------------------------- shapes

  /** The elements in another shape. */
  public Expr reshape(Expr x, List<? extends PrimExpr> dims) {
    return node.dims(x).equals(dims)
        ? x
        : node.emit(Ops.reshape(x, new ShapeExpr(List.copyOf(dims))));
  }

  /** The axes in another order. */
  public Expr permute(Expr x, int... axes) {
    boolean isIdentity = IntStream.range(0, axes.length).allMatch(i -> axes[i] == i);
    return isIdentity
        ? x
        : node.emit(Ops.permuteDims(x, Arrays.stream(axes).boxed().toArray(Integer[]::new)));
  }

  /** The last two axes exchanged. */
  public Expr transposed(Expr x) {
    int rank = node.rank(x);
    int[] axes = IntStream.range(0, rank).toArray();
    axes[rank - 1] = rank - 2;
    axes[rank - 2] = rank - 1;
    return permute(x, axes);
  }

  /** New axes of extent 1, by their positions in the result. */
  public Expr unsqueeze(Expr x, Integer... axes) {
    return axes.length == 0 ? x : node.emit(Ops.expandDims(x, axes));
  }

  /** The value with axes of extent 1 in front, so that it has a number of axes. */
  public Expr withRank(Expr x, int rank) {
    int missing = rank - node.rank(x);
    if (missing < 0) {
      throw node.unsupported(
          "an input has " + node.rank(x) + " axes; expected " + rank + " at most", "");
    }
    return unsqueeze(x, IntStream.range(0, missing).boxed().toArray(Integer[]::new));
  }

  /** The elements from one position to another along an axis. */
  public Expr slice(Expr x, int axis, PrimExpr from, PrimExpr to) {
    if (from instanceof IntImm zero && zero.value() == 0 && areEqual(to, dim(x, axis))) {
      return x;
    }
    return node.emit(
        Slices.stridedSlice(
            x,
            Tuple.of(PrimValue.of(axis)),
            Tuple.of(new PrimValue(from)),
            Tuple.of(new PrimValue(to)),
            Tuple.of(PrimValue.of(1)),
            true));
  }

  /** The elements from one position to another along an axis. */
  public Expr slice(Expr x, int axis, long from, long to) {
    return slice(x, axis, IntImm.of(from), IntImm.of(to));
  }

  /** The elements at a position along an axis, which goes. */
  public Expr at(Expr x, int axis, long position) {
    return node.emit(Ops.squeeze(slice(x, axis, position, position + 1), axis));
  }

  /** Tensors after each other along an axis. */
  public Expr concat(int axis, Expr... parts) {
    return parts.length == 1 ? parts[0] : node.emit(Ops.concat(List.of(parts), axis));
  }

  /** Tensors along a new axis. */
  public Expr stack(int axis, List<? extends Expr> parts) {
    return parts.size() == 1
        ? unsqueeze(parts.getFirst(), axis)
        : node.emit(Ops.stack(parts, axis));
  }

  /** The elements at indices along an axis. */
  public Expr take(Expr x, Expr indices, int axis) {
    return node.emit(Ops.take(x, indices, axis));
  }

  // ---------------------------------------------------------------- new tensors

  /** The integers from 0 on, as int64. */
  public Expr range(PrimExpr count) {
    return node.emit(Ops.arange(new PrimValue(count), DType.INT64));
  }

  /** An extent as an int64 tensor without axes. */
  public Expr scalar(PrimExpr extent) {
    return node.leaf(Known.scalar(extent));
  }

  /** One number everywhere. */
  public Expr full(List<? extends PrimExpr> dims, DType dtype, double value) {
    return node.emit(Ops.full(new ShapeExpr(List.copyOf(dims)), node.scalar(dtype, value)));
  }

  /** 0 everywhere. */
  public Expr zeros(List<? extends PrimExpr> dims, DType dtype) {
    return node.emit(Ops.zeros(new ShapeExpr(List.copyOf(dims)), dtype));
  }
}
