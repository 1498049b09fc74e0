package org.relaxvm.tir.op;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Tensors from numbers, and triangles of matrices. */
public final class CreationOps {
  private CreationOps() {}

  /** A number as a tensor of rank 0 without memory: an operand of other operators. */
  public static TensorExpr scalar(KernelBuilder k, String name, PrimExpr value) {
    return k.inlined(name, List.of(), i -> value);
  }

  /** One value everywhere, converted to the dtype. Also {@code zeros} and {@code ones}. */
  public static TensorExpr full(
      KernelBuilder k, String name, List<? extends PrimExpr> shape, PrimExpr value, DType dtype) {
    return k.compute(name, shape, i -> Exprs.cast(dtype, value));
  }

  /** The one element of a tensor of rank 0 everywhere. Also {@code full_like}. */
  public static TensorExpr full(
      KernelBuilder k, String name, List<? extends PrimExpr> shape, TensorExpr value, DType dtype) {
    Check.rank("full", value, 0);
    return k.compute(name, shape, i -> Exprs.cast(dtype, value.at(List.of())));
  }

  /** 1 on the diagonal that is {@code offset} columns right of the main one, else 0. */
  public static TensorExpr eye(
      KernelBuilder k, String name, PrimExpr rows, PrimExpr columns, PrimExpr offset, DType dtype) {
    return k.compute(
        name,
        List.of(rows, columns),
        i -> Exprs.cast(dtype, Exprs.eq(i.get(1), Exprs.add(i.get(0), Arith.index(offset)))));
  }

  /**
   * {@code start + i * step} below {@code end}, or above it for a negative step, computed in int64
   * or float64, then converted.
   *
   * @param step of the dtype of the others, all int64 or all float64; a constant that is not 0
   */
  public static TensorExpr arange(
      KernelBuilder k, String name, PrimExpr start, PrimExpr end, PrimExpr step, DType dtype) {
    PrimExpr length = arangeLength(start, end, step);
    return k.compute(
        name,
        List.of(length),
        i -> {
          PrimExpr index = Exprs.cast(start.dtype(), i.getFirst());
          return Exprs.cast(dtype, Exprs.add(start, Exprs.mul(index, step)));
        });
  }

  /** How many elements {@link #arange} gives; never negative. */
  public static PrimExpr arangeLength(PrimExpr start, PrimExpr end, PrimExpr step) {
    double known =
        switch (step) {
          case IntImm imm -> imm.value();
          case FloatImm imm -> imm.value();
          default -> 0;
        };
    Check.that(
        known != 0,
        "arange",
        "the step must be a constant that is not 0, but is " + Dims.text(step));
    if (step.dtype().isFloat()) {
      PrimExpr count = Arith.div(Exprs.sub(end, start), step);
      if (start instanceof FloatImm a && end instanceof FloatImm b) {
        return IntImm.of((long) Math.max(0, Math.ceil((b.value() - a.value()) / known)));
      }
      PrimExpr whole = Exprs.cast(DType.INT64, Exprs.call(Intrinsic.CEIL, count));
      return Exprs.max(whole, IntImm.of(0));
    }
    PrimExpr span = known > 0 ? Exprs.sub(end, start) : Exprs.sub(start, end);
    PrimExpr size = IntImm.of(Math.abs((long) known));
    return Dims.simplify(Exprs.max(Exprs.ceilDiv(span, size), IntImm.of(0)));
  }

  /** The elements on and below a diagonal of matrices, 0 above. */
  public static TensorExpr tril(KernelBuilder k, String name, TensorExpr x, PrimExpr diagonal) {
    return triangle(k, name, "tril", x, diagonal, true);
  }

  /** The elements on and above a diagonal of matrices, 0 below. */
  public static TensorExpr triu(KernelBuilder k, String name, TensorExpr x, PrimExpr diagonal) {
    return triangle(k, name, "triu", x, diagonal, false);
  }

  private static TensorExpr triangle(
      KernelBuilder k, String name, String op, TensorExpr x, PrimExpr diagonal, boolean lower) {
    Check.rankAtLeast(op, x, 2);
    int last = x.shape().size() - 1;
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr edge = Exprs.add(i.get(last - 1), Arith.index(diagonal));
          PrimExpr keeps = lower ? Exprs.le(i.get(last), edge) : Exprs.le(edge, i.get(last));
          return Exprs.select(keeps, x.at(i), Arith.of(x.dtype(), 0));
        });
  }

  /**
   * {@code alpha - beta * cos(2 * pi * i / n)}, with {@code n} the length when it is periodic, else
   * one less. Computed in float64.
   */
  public static TensorExpr hammingWindow(
      KernelBuilder k,
      String name,
      PrimExpr length,
      boolean periodic,
      double alpha,
      double beta,
      DType dtype) {
    Check.that(dtype.isFloat(), "hamming_window", "expected a float dtype, but got " + dtype);
    PrimExpr period =
        Exprs.cast(
            DType.FLOAT64, periodic ? length : Exprs.max(Exprs.sub(length, 1), IntImm.of(1)));
    return k.compute(
        name,
        List.of(length),
        i -> {
          PrimExpr position = Exprs.cast(DType.FLOAT64, i.getFirst());
          PrimExpr angle =
              Arith.div(Exprs.mul(Arith.like(position, 2 * Math.PI), position), period);
          PrimExpr wave = Exprs.mul(Arith.like(position, beta), Exprs.call(Intrinsic.COS, angle));
          return Exprs.cast(dtype, Exprs.sub(Arith.like(position, alpha), wave));
        });
  }

  /**
   * {@code on} where the position along the new axis equals the index, else {@code off}.
   *
   * @param axis of the depth in the result
   */
  public static TensorExpr oneHot(
      KernelBuilder k,
      String name,
      TensorExpr indices,
      PrimExpr on,
      PrimExpr off,
      PrimExpr depth,
      int axis) {
    Check.integers("one_hot", indices);
    int along = Check.axis("one_hot", axis, indices.shape().size() + 1);
    return k.compute(
        name,
        AxisLists.inserted(indices.shape(), along, depth),
        i -> {
          PrimExpr index = Arith.index(indices.at(AxisLists.<PrimExpr>without(i, along)));
          return Exprs.select(Exprs.eq(index, i.get(along)), on, off);
        });
  }
}
