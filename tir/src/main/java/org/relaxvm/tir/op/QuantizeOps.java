package org.relaxvm.tir.op;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Floats as small integers and back. Scale and zero point are of rank 0, or 1 along an axis. */
public final class QuantizeOps {
  private QuantizeOps() {}

  /**
   * {@code round(x / scale) + zero point}, halves to the even integer, brought into the range of
   * the dtype. NaN gives the nearest integer to 0 of the sum, which is that of a cast.
   *
   * @param x floats
   * @param scale of the dtype of {@code x}
   * @param dtype integers of 8, 16 or 32 bits
   */
  public static TensorExpr quantize(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr scale,
      TensorExpr zeroPoint,
      int axis,
      DType dtype) {
    String op = "quantize";
    Check.floats(op, x);
    Check.sameDType(op, x, scale);
    Check.that(
        DTypes.isInteger(dtype) && dtype.bits() <= 32,
        op,
        "expected integers of at most 32 bits, but got " + dtype);
    int channelAxis = channelAxis(op, x, axis, scale, zeroPoint);
    // All integers of 32 bits are exact.
    DType exact = dtype.bits() > 16 ? DType.FLOAT64 : Arith.wide(x.dtype());
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr quotient =
              Arith.div(Arith.widened(x.at(i)), Arith.widened(at(scale, i, channelAxis)));
          PrimExpr rounded = Exprs.cast(exact, Exprs.call(Intrinsic.NEARBYINT, quotient));
          PrimExpr moved = Exprs.add(rounded, Exprs.cast(exact, at(zeroPoint, i, channelAxis)));
          PrimExpr low = limit(Reducer.lowest(dtype), exact);
          PrimExpr high = limit(Reducer.highest(dtype), exact);
          return Exprs.cast(dtype, Arith.clamp(moved, low, high));
        });
  }

  private static PrimExpr limit(PrimExpr limit, DType dtype) {
    return limit instanceof IntImm imm ? Arith.of(dtype, imm.value()) : limit;
  }

  /**
   * {@code (x - zero point) * scale}, the difference in int32, of floats as they are.
   *
   * @param dtype floats
   */
  public static TensorExpr dequantize(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr scale,
      TensorExpr zeroPoint,
      int axis,
      DType dtype) {
    String op = "dequantize";
    Check.numbers(op, x);
    Check.floats(op, scale);
    Check.that(dtype.isFloat(), op, "expected a float dtype, but got " + dtype);
    int channelAxis = channelAxis(op, x, axis, scale, zeroPoint);
    DType inner = x.dtype().isFloat() ? Arith.wide(x.dtype()) : DType.INT32;
    DType wide = Arith.wide(dtype);
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr apart =
              Exprs.sub(
                  Exprs.cast(inner, x.at(i)), Exprs.cast(inner, at(zeroPoint, i, channelAxis)));
          return Exprs.cast(
              dtype,
              Exprs.mul(Exprs.cast(wide, apart), Exprs.cast(wide, at(scale, i, channelAxis))));
        });
  }

  private static int channelAxis(
      String op, TensorExpr x, int axis, TensorExpr scale, TensorExpr zeroPoint) {
    boolean scalars = scale.shape().isEmpty() && zeroPoint.shape().isEmpty();
    int channelAxis = scalars ? 0 : Check.axis(op, axis, x.shape().size());
    for (TensorExpr parameter : List.of(scale, zeroPoint)) {
      if (!parameter.shape().isEmpty()) {
        Check.rank(op, parameter, 1);
        Dims.requireSame(
            op,
            x.shape().get(channelAxis),
            parameter.shape().getFirst(),
            "the extents of axis " + channelAxis + " and " + parameter.name());
      }
    }
    return channelAxis;
  }

  private static PrimExpr at(TensorExpr parameter, List<PrimExpr> i, int channelAxis) {
    return parameter.shape().isEmpty() ? parameter.at(List.of()) : parameter.at(i.get(channelAxis));
  }
}
