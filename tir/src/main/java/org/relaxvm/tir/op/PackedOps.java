package org.relaxvm.tir.op;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Elements of 1, 2 or 4 bits in bytes, the first one in the low bits, without gaps between rows.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does the kernel IR have no dtypes of less than 8 bits?"
 */
public final class PackedOps {
  private PackedOps() {}

  /**
   * One byte for each element.
   *
   * @param x uint8 on one axis, as many as the elements fill
   * @param bits of an element: 1, 2 or 4
   * @param isSigned whether elements are int8, with the sign of their highest bit, or uint8
   */
  public static TensorExpr unpack(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<PrimExpr> shape,
      int bits,
      boolean isSigned) {
    String op = "unpack_bits";
    checkBits(op, x, bits);
    Check.rank(op, x, 1);
    int perByte = 8 / bits;
    Dims.requireSame(
        op,
        x.shape().getFirst(),
        byteCount(Exprs.product(shape), bits),
        "the number of bytes and that of " + bits + "-bit elements");
    DType dtype = isSigned ? DType.INT8 : DType.UINT8;
    return k.compute(
        name,
        shape,
        i -> {
          PrimExpr at = Exprs.rowMajorOffset(i, shape);
          PrimExpr field =
              field(x.at(Exprs.floorDiv(at, perByte)), Exprs.floorMod(at, perByte), bits, isSigned);
          return Exprs.cast(dtype, field);
        });
  }

  /**
   * The low bits of elements, packed: uint8 on one axis. Bits of the last byte that belong to no
   * element are 0.
   *
   * @param x int8 or uint8
   * @param bits of an element: 1, 2 or 4
   */
  public static TensorExpr pack(KernelBuilder k, String name, TensorExpr x, int bits) {
    String op = "pack_bits";
    Check.that(
        x.dtype().equals(DType.INT8) || x.dtype().equals(DType.UINT8),
        op,
        "expected int8 or uint8, but got " + x.dtype());
    Check.that(isSupported(bits), op, "expected 1, 2 or 4 bits, but got " + bits);
    int perByte = 8 / bits;
    PrimExpr count = Exprs.product(x.shape());
    boolean isWhole = Dims.known(count).stream().allMatch(n -> n % perByte == 0);
    boolean isGuarded = Dims.known(count).isEmpty() || !isWhole;
    return k.compute(
        name,
        List.of(byteCount(count, bits)),
        i -> {
          PrimExpr packed = null;
          for (int n = 0; n < perByte; n++) {
            PrimExpr at = Exprs.add(Exprs.mul(i.getFirst(), perByte), n);
            PrimExpr element = Exprs.cast(DType.INT32, x.at(Exprs.rowMajorIndex(at, x.shape())));
            PrimExpr low = and(element, (1 << bits) - 1);
            PrimExpr placed =
                n == 0 ? low : Exprs.call(Intrinsic.SHIFT_LEFT, low, int32((long) n * bits));
            PrimExpr field =
                isGuarded ? Exprs.ifThenElse(Exprs.lt(at, count), placed, int32(0)) : placed;
            packed = packed == null ? field : Exprs.call(Intrinsic.BITWISE_OR, packed, field);
          }
          return Exprs.cast(DType.UINT8, packed == null ? int32(0) : packed);
        });
  }

  /** How many bytes so many elements fill. */
  public static PrimExpr byteCount(PrimExpr count, int bits) {
    return Dims.simplify(Exprs.ceilDiv(count, IntImm.of(8 / bits)));
  }

  /**
   * An element of a byte, as int32.
   *
   * @param packed uint8
   * @param position in the byte, from 0
   */
  static PrimExpr field(PrimExpr packed, PrimExpr position, int bits, boolean isSigned) {
    PrimExpr wide = Exprs.cast(DType.INT32, packed);
    PrimExpr shift = Exprs.cast(DType.INT32, Exprs.mul(position, bits));
    PrimExpr shifted = bits == 8 ? wide : Exprs.call(Intrinsic.SHIFT_RIGHT, wide, shift);
    PrimExpr low = and(shifted, (1 << bits) - 1);
    if (!isSigned) {
      return low;
    }
    long sign = 1L << (bits - 1);
    return Exprs.sub(Exprs.call(Intrinsic.BITWISE_XOR, low, int32(sign)), int32(sign));
  }

  static PrimExpr and(PrimExpr value, long mask) {
    return Exprs.call(Intrinsic.BITWISE_AND, value, int32(mask));
  }

  static PrimExpr int32(long value) {
    return new IntImm(DType.INT32, value);
  }

  private static void checkBits(String op, TensorExpr x, int bits) {
    Check.that(x.dtype().equals(DType.UINT8), op, "expected uint8, but got " + x.dtype());
    Check.that(isSupported(bits), op, "expected 1, 2 or 4 bits, but got " + bits);
  }

  private static boolean isSupported(int bits) {
    return bits == 1 || bits == 2 || bits == 4;
  }
}
