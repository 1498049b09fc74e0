package org.relaxvm.interoponnx.operator.signal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Fourier transforms of signals, of parts of signals, and their inverses; in float64. */
public final class SignalOperators {
  private static final int AXIS_IS_INPUT = 20;

  private SignalOperators() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("DFT", 17, SignalOperators::dft)
        .add("STFT", 17, SignalOperators::stft)
        .add(OperatorTable.MICROSOFT, "Rfft", SignalOperators::rfft)
        .add(OperatorTable.MICROSOFT, "Irfft", SignalOperators::irfft);
  }

  // ---------------------------------------------------------------- DFT

  /** The last axis holds real numbers (1), or real and imaginary parts (2). */
  private static List<Operand> dft(NodeContext node) {
    Expr x = node.tensor(0);
    int rank = node.rank(x);
    if (rank < 2) {
      throw node.unsupported("the input has " + rank + " axes; expected 2 or more", "");
    }
    int axis = node.axis(axisOf(node), rank);
    if (axis == rank - 1) {
      throw node.unsupported("the last axis holds the parts of numbers: it has no transform", "");
    }
    boolean inverse = node.attributes().flag("inverse", false);
    boolean onesided = node.attributes().flag("onesided", false);
    Optional<PrimExpr> length =
        node.has(1) ? Optional.of(node.extents(1).getFirst()) : Optional.empty();
    Emitter e = new Emitter(node);
    Fourier.Complex signal = alongLast(node, x, axis);
    Expr result =
        inverse && onesided
            ? real(node, signal, length)
            : complex(node, signal, length, inverse, onesided);
    return node.result(e.cast(moved(e, node, result, axis), node.dtype(x)));
  }

  private static long axisOf(NodeContext node) {
    if (node.version() < AXIS_IS_INPUT) {
      return node.attributes().integer("axis", 1);
    }
    return node.deciding(2, "axes").map(axes -> single(node, axes)).orElse(-2L);
  }

  private static long single(NodeContext node, List<Long> axes) {
    if (axes.size() != 1) {
      throw node.unsupported("it has " + axes.size() + " axes; expected one", "");
    }
    return axes.getFirst();
  }

  /** The parts as float64, with the axis of the transform last. */
  private static Fourier.Complex alongLast(NodeContext node, Expr x, int axis) {
    Emitter e = new Emitter(node);
    int rank = node.rank(x);
    if (!(e.dim(x, rank - 1) instanceof IntImm parts) || parts.value() < 1 || parts.value() > 2) {
      throw node.unsupported(
          "the last axis of the input is " + Emitter.text(e.dim(x, rank - 1)) + "; expected 1 or 2",
          "");
    }
    Expr wide = e.cast(x, DType.FLOAT64);
    Expr real = last(e, e.at(wide, rank - 1, 0), axis, rank - 1);
    return new Fourier.Complex(
        real,
        parts.value() == 1
            ? Optional.empty()
            : Optional.of(last(e, e.at(wide, rank - 1, 1), axis, rank - 1)));
  }

  private static Expr last(Emitter e, Expr x, int axis, int rank) {
    List<Integer> order =
        new ArrayList<>(IntStream.range(0, rank).filter(i -> i != axis).boxed().toList());
    order.add(axis);
    return e.permute(x, order.stream().mapToInt(Integer::intValue).toArray());
  }

  /** The axis before the last one goes to its position. */
  private static Expr moved(Emitter e, NodeContext node, Expr x, int axis) {
    int rank = node.rank(x);
    List<Integer> order = new ArrayList<>(IntStream.range(0, rank - 2).boxed().toList());
    order.add(axis, rank - 2);
    order.add(rank - 1);
    return e.permute(x, order.stream().mapToInt(Integer::intValue).toArray());
  }

  private static Expr complex(
      NodeContext node,
      Fourier.Complex signal,
      Optional<PrimExpr> length,
      boolean inverse,
      boolean onesided) {
    Emitter e = new Emitter(node);
    PrimExpr own = e.dim(signal.real(), node.rank(signal.real()) - 1);
    PrimExpr count = length.orElse(own);
    PrimExpr outputs = onesided ? e.sum(half(e, count), IntImm.of(1)) : count;
    Fourier.Complex result =
        new Fourier(node).transform(fitted(node, signal, own, count), count, outputs, inverse);
    Expr real = result.real();
    Expr imaginary = result.imaginary().orElseThrow();
    if (inverse) {
      real = divided(node, real, count);
      imaginary = divided(node, imaginary, count);
    }
    return e.stack(node.rank(real), List.of(real, imaginary));
  }

  private static PrimExpr half(Emitter e, PrimExpr count) {
    return e.simplify(Exprs.floorDiv(count, 2));
  }

  private static Expr divided(NodeContext node, Expr x, PrimExpr count) {
    Emitter e = new Emitter(node);
    return count instanceof IntImm n
        ? e.multiply(x, 1.0 / n.value())
        : e.divide(x, e.cast(e.scalar(count), DType.FLOAT64));
  }

  /** Cut or filled with zeros. */
  private static Fourier.Complex fitted(
      NodeContext node, Fourier.Complex signal, PrimExpr own, PrimExpr count) {
    return new Fourier.Complex(
        fitted(node, signal.real(), own, count),
        signal.imaginary().map(part -> fitted(node, part, own, count)));
  }

  private static Expr fitted(NodeContext node, Expr x, PrimExpr own, PrimExpr count) {
    Emitter e = new Emitter(node);
    if (e.areEqual(own, count)) {
      return x;
    }
    int axis = node.rank(x) - 1;
    PrimExpr kept = e.simplify(Exprs.min(own, count));
    Expr cut = e.slice(x, axis, IntImm.of(0), kept);
    PrimExpr missing = e.difference(count, kept);
    if (missing instanceof IntImm none && none.value() == 0) {
      return cut;
    }
    List<PrimExpr> shape = new ArrayList<>(node.dims(x));
    shape.set(axis, missing);
    List<PrimExpr> result = new ArrayList<>(shape);
    result.set(axis, count);
    return e.withDims(e.concat(axis, cut, e.zeros(shape, DType.FLOAT64)), result);
  }

  /** The inverse of the first half of a spectrum, whose other half is its mirror image. */
  private static Expr real(NodeContext node, Fourier.Complex half, Optional<PrimExpr> length) {
    Emitter e = new Emitter(node);
    int axis = node.rank(half.real()) - 1;
    PrimExpr own = e.dim(half.real(), axis);
    PrimExpr count = length.orElseGet(() -> e.simplify(Exprs.mul(Exprs.sub(own, 1), 2)));
    PrimExpr bins = e.sum(half(e, count), IntImm.of(1));
    Fourier.Complex given = fitted(node, half, own, bins);
    PrimExpr end = e.sum(e.difference(count, bins), IntImm.of(1));
    Expr real = mirrored(node, given.real(), axis, end, false);
    Optional<Expr> imaginary = given.imaginary().map(part -> mirrored(node, part, axis, end, true));
    Fourier.Complex result =
        new Fourier(node).transform(new Fourier.Complex(real, imaginary), count, count, true);
    return e.unsqueeze(divided(node, result.real(), count), axis + 1);
  }

  /** The elements, and those from 1 to {@code end} in reverse order. */
  private static Expr mirrored(
      NodeContext node, Expr x, int axis, PrimExpr end, boolean isNegative) {
    Emitter e = new Emitter(node);
    Expr tail = node.emit(Orders.flip(e.slice(x, axis, IntImm.of(1), end), axis));
    return e.concat(axis, x, isNegative ? e.negative(tail) : tail);
  }

  // ---------------------------------------------------------------- STFT

  private static List<Operand> stft(NodeContext node) {
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    Expr signal = node.rank(x) == 2 ? e.unsqueeze(x, 2) : x;
    if (node.rank(signal) != 3) {
      throw node.unsupported("the signal has " + node.rank(x) + " axes; expected 3", "");
    }
    PrimExpr step = node.extents(1).getFirst();
    PrimExpr length = e.dim(signal, 1);
    PrimExpr frame =
        node.has(3) ? node.extents(3).getFirst() : node.has(2) ? e.dim(node.tensor(2), 0) : length;
    PrimExpr frames = e.simplify(Exprs.add(Exprs.floorDiv(Exprs.sub(length, frame), step), 1));
    Expr starts = e.multiply(e.unsqueeze(e.range(frames), 1), new PrimValue(step));
    Expr indices = e.add(starts, e.range(frame));
    Expr parts = e.cast(e.take(signal, indices, 1), DType.FLOAT64);
    if (node.has(2)) {
      Expr window = e.withDims(node.tensor(2), List.of(frame));
      parts = e.multiply(parts, e.unsqueeze(e.cast(window, DType.FLOAT64), 1));
    }
    boolean onesided = node.attributes().flag("onesided", true);
    Expr result = complex(node, alongLast(node, parts, 2), Optional.of(frame), false, onesided);
    return node.result(e.cast(result, node.dtype(x)));
  }

  // ---------------------------------------------------------------- com.microsoft

  private static void requirePlain(NodeContext node) {
    long axes = node.attributes().integer("signal_ndim", 1);
    if (axes != 1
        || !node.attributes().flag("onesided", true)
        || node.attributes().flag("normalized", false)) {
      throw node.unsupported(
          "expected signal_ndim 1, onesided 1 and normalized 0, but got "
              + axes
              + ", "
              + node.attributes().integer("onesided", 1)
              + " and "
              + node.attributes().integer("normalized", 0),
          "");
    }
  }

  private static List<Operand> rfft(NodeContext node) {
    requirePlain(node);
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    Fourier.Complex signal = new Fourier.Complex(e.cast(x, DType.FLOAT64), Optional.empty());
    return node.result(e.cast(complex(node, signal, Optional.empty(), false, true), node.dtype(x)));
  }

  private static List<Operand> irfft(NodeContext node) {
    requirePlain(node);
    Emitter e = new Emitter(node);
    Expr x = node.tensor(0);
    int rank = node.rank(x);
    if (rank < 2 || !(e.dim(x, rank - 1) instanceof IntImm two) || two.value() != 2) {
      throw node.unsupported("expected an input whose last axis has an extent of 2", "");
    }
    Expr result = real(node, alongLast(node, x, rank - 2), Optional.empty());
    Expr flat = node.emit(Ops.squeeze(result, rank - 1));
    return node.result(e.cast(flat, node.dtype(x)));
  }
}
