package org.relaxvm.tir.op;

import static org.relaxvm.tir.op.PackedOps.and;
import static org.relaxvm.tir.op.PackedOps.int32;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** The codes of floating-point numbers in formats that kernels do not compute with. */
public final class FloatCodeOps {
  /** Bits of the fraction of float32. */
  private static final int FRACTION = 23;

  private static final long INFINITY = 0x7F800000L;
  private static final long HIDDEN_BIT = 1L << FRACTION;
  private static final int MOST_SHIFTED = 30;
  private static final int NAN = 0x80;
  private static final int SCALE_NAN = 0xFF;

  private FloatCodeOps() {}

  /** How numbers between two powers of two become {@link FloatCode#E8M0FNU}. */
  public enum Rounding {
    /** The larger one. */
    UP,
    /** The smaller one. */
    DOWN,
    /** The nearer one, and of two that are equally near the larger one. */
    NEAREST
  }

  /**
   * The codes of numbers, as uint8. Numbers are rounded to the nearest, halves to the even code,
   * and powers of two as {@code rounding} says.
   *
   * <p>{@link FloatCode#E2M1FN}: what is too large becomes the largest, NaN becomes -0. The other
   * formats have NaN. {@link FloatCode#E8M0FNU} ignores the sign.
   *
   * @param bits of float32 numbers, as int32
   * @param saturates whether what is too large becomes the largest number, and for powers of two
   *     what is too small the smallest one; else both become NaN. Infinities are too large.
   */
  public static TensorExpr encode(
      KernelBuilder k,
      String name,
      TensorExpr bits,
      FloatCode format,
      boolean saturates,
      Rounding rounding) {
    Check.that(
        bits.dtype().equals(DType.INT32),
        "encode_float",
        "expected the bits of float32 as int32, but got " + bits.dtype());
    return k.compute(
        name,
        bits.shape(),
        i -> {
          PrimExpr code =
              format == FloatCode.E8M0FNU
                  ? powerOfTwo(bits.at(i), saturates, rounding)
                  : number(bits.at(i), format, saturates);
          return Exprs.cast(DType.UINT8, code);
        });
  }

  private static PrimExpr number(PrimExpr bits, FloatCode format, boolean saturates) {
    PrimExpr magnitude = and(bits, 0x7FFFFFFFL);
    PrimExpr code = rounded(magnitude, format);
    PrimExpr isNan = Arith.gt(magnitude, int32(INFINITY));
    PrimExpr isNegative = Exprs.lt(bits, int32(0));
    long signBit = format.count() / 2;
    PrimExpr sign = Exprs.select(isNegative, int32(signBit), int32(0));
    PrimExpr largest = int32(format.largest());
    PrimExpr signed = Exprs.add(Exprs.min(code, largest), sign);
    if (format == FloatCode.E2M1FN) {
      return Exprs.select(isNan, int32(signBit), signed);
    }
    PrimExpr isLost = saturates ? isNan : Exprs.or(isNan, Arith.gt(code, largest));
    PrimExpr unsignedZero = Exprs.select(Exprs.eq(code, int32(0)), int32(0), signed);
    return Exprs.select(isLost, int32(NAN), unsignedZero);
  }

  /** The code of a magnitude in float32, larger than all codes where it is too large. */
  private static PrimExpr rounded(PrimExpr magnitude, FloatCode format) {
    // Float32 has an exponent for each power of two; that of subnormal numbers is far below.
    PrimExpr exponent = Exprs.sub(shiftRight(magnitude, int32(FRACTION)), 127 - format.bias());
    PrimExpr missing = Exprs.max(Exprs.sub(int32(1), exponent), int32(0));
    PrimExpr shift =
        Exprs.min(Exprs.add(missing, FRACTION - format.fraction()), int32(MOST_SHIFTED));
    PrimExpr significand = Exprs.add(and(magnitude, HIDDEN_BIT - 1), int32(HIDDEN_BIT));
    PrimExpr half = Exprs.call(Intrinsic.SHIFT_LEFT, int32(1), Exprs.sub(shift, 1));
    PrimExpr odd = and(shiftRight(significand, shift), 1);
    PrimExpr moved = Exprs.add(Exprs.add(significand, Exprs.sub(half, 1)), odd);
    PrimExpr base = Exprs.mul(Exprs.max(Exprs.sub(exponent, 1), int32(0)), 1L << format.fraction());
    return Exprs.add(base, shiftRight(moved, shift));
  }

  private static PrimExpr powerOfTwo(PrimExpr bits, boolean saturates, Rounding rounding) {
    PrimExpr magnitude = and(bits, 0x7FFFFFFFL);
    PrimExpr exponent = shiftRight(magnitude, int32(FRACTION));
    PrimExpr fraction = and(magnitude, HIDDEN_BIT - 1);
    // Of subnormal numbers one bit lower: 2^-127 has the highest bit of the fraction alone.
    long smallest = HIDDEN_BIT / 2;
    PrimExpr isSubnormal = Exprs.eq(exponent, int32(0));
    PrimExpr above = Exprs.select(isSubnormal, Exprs.sub(fraction, int32(smallest)), fraction);
    PrimExpr halfway = Exprs.select(isSubnormal, int32(smallest / 2), int32(smallest));
    PrimExpr roundsUp =
        switch (rounding) {
          case UP -> Arith.gt(above, int32(0));
          case NEAREST -> Arith.ge(above, halfway);
          case DOWN -> IntImm.of(false);
        };
    PrimExpr code = Exprs.add(exponent, Exprs.select(roundsUp, int32(1), int32(0)));
    PrimExpr largest = int32(FloatCode.E8M0FNU.largest());
    PrimExpr isNan = Arith.gt(magnitude, int32(INFINITY));
    if (saturates) {
      return Exprs.select(isNan, int32(SCALE_NAN), Exprs.min(code, largest));
    }
    PrimExpr isOutside = Exprs.or(Exprs.lt(magnitude, int32(smallest)), Arith.gt(code, largest));
    return Exprs.select(Exprs.or(isNan, isOutside), int32(SCALE_NAN), code);
  }

  private static PrimExpr shiftRight(PrimExpr value, PrimExpr count) {
    return Exprs.call(Intrinsic.SHIFT_RIGHT, value, count);
  }
}
