package org.relaxvm.tir.op;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Products with matrices whose rows are quantized in blocks, which are unpacked while they run. */
public final class BlockQuantizedOps {
  private BlockQuantizedOps() {}

  /**
   * {@code x @ w^T} with {@code w[n, k] = (q[n, k] - zero point) * scale}, where all {@code k} of a
   * block have one scale and zero point. Sums are computed in float32 or more.
   *
   * @param x floats {@code [..., blocks, elements of a byte, bytes of a block]}: elements that are
   *     in the same place of their bytes are adjacent, as their bytes are
   * @param q uint8 {@code [n, blocks, bytes of a block]}; the first element in the low bits
   * @param scales floats {@code [n, blocks]}
   * @param zeroPoints uint8 {@code [n, bytes]}, packed as {@code q}, with the first block in the
   *     low bits; or floats {@code [n, blocks]}; or null: half of the range
   * @param bits of an element: 2, 4 or 8
   */
  public static TensorExpr matmul(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr q,
      TensorExpr scales,
      @Nullable TensorExpr zeroPoints,
      int bits) {
    String op = "matmul_nbits";
    Check.floats(op, x);
    Check.rankAtLeast(op, x, 3);
    check(op, q, scales, zeroPoints, bits);
    int rank = x.shape().size() - 3;
    List<PrimExpr> domain = x.shape().subList(rank, rank + 3);
    Dims.requireSame(op, domain.get(0), q.shape().get(1), "the number of blocks");
    Dims.requireSame(op, domain.get(1), IntImm.of(8 / bits), "the elements of a byte");
    Dims.requireSame(op, domain.get(2), q.shape().get(2), "the bytes of a block");
    DType wide = Arith.wide(x.dtype());
    return ReducedAxes.accumulate(
        k,
        name,
        x.dtype(),
        AxisLists.joined(x.shape().subList(0, rank), List.of(q.shape().getFirst())),
        domain,
        Reducer.SUM,
        (i, r) -> {
          PrimExpr weight =
              weight(q, scales, zeroPoints, bits, wide, i.getLast(), r.get(0), r.get(1), r.get(2));
          List<PrimExpr> left = AxisLists.joined(i.subList(0, rank), r);
          return Exprs.mul(Exprs.cast(wide, x.at(left)), weight);
        });
  }

  /**
   * The matrix of quantized rows as columns: {@code [k, n]}.
   *
   * @param q as for {@link #matmul}
   * @param scales as for {@link #matmul}
   * @param zeroPoints as for {@link #matmul}
   * @param extent {@code k}: the last block may have more elements
   * @param dtype of the result: floats
   */
  public static TensorExpr columns(
      KernelBuilder k,
      String name,
      TensorExpr q,
      TensorExpr scales,
      @Nullable TensorExpr zeroPoints,
      int bits,
      PrimExpr extent,
      DType dtype) {
    check("matmul_nbits", q, scales, zeroPoints, bits);
    int perByte = 8 / bits;
    PrimExpr blockSize = Dims.simplify(Exprs.mul(q.shape().get(2), perByte));
    DType wide = Arith.wide(dtype);
    return k.compute(
        name,
        List.of(extent, q.shape().getFirst()),
        i -> {
          PrimExpr inBlock = Exprs.floorMod(i.get(0), blockSize);
          PrimExpr weight =
              weight(
                  q,
                  scales,
                  zeroPoints,
                  bits,
                  wide,
                  i.get(1),
                  Exprs.floorDiv(i.get(0), blockSize),
                  Exprs.floorMod(inBlock, perByte),
                  Exprs.floorDiv(inBlock, perByte));
          return Exprs.cast(dtype, weight);
        });
  }

  private static PrimExpr weight(
      TensorExpr q,
      TensorExpr scales,
      @Nullable TensorExpr zeroPoints,
      int bits,
      DType wide,
      PrimExpr row,
      PrimExpr block,
      PrimExpr position,
      PrimExpr at) {
    PrimExpr code = code(q.at(row, block, at), position, bits, wide);
    PrimExpr zero = Exprs.cast(wide, zeroPoint(zeroPoints, row, block, bits));
    return Exprs.mul(Exprs.sub(code, zero), Exprs.cast(wide, scales.at(row, block)));
  }

  /** A field of a byte: mask and factor are the same for all bytes, which shifts are not. */
  private static PrimExpr code(PrimExpr packed, PrimExpr position, int bits, DType wide) {
    PrimExpr byteValue = Exprs.cast(DType.INT32, packed);
    if (bits == 8) {
      return Exprs.cast(wide, byteValue);
    }
    PrimExpr mask =
        Exprs.call(
            Intrinsic.SHIFT_LEFT,
            PackedOps.int32((1L << bits) - 1),
            Exprs.cast(DType.INT32, Exprs.mul(position, bits)));
    PrimExpr factor = Arith.of(wide, 1);
    for (int n = 1; n < 8 / bits; n++) {
      factor =
          Exprs.select(
              Exprs.eq(position, IntImm.of(n)), Arith.of(wide, Math.scalb(1.0, -n * bits)), factor);
    }
    PrimExpr field = Exprs.call(Intrinsic.BITWISE_AND, byteValue, mask);
    return Exprs.mul(Exprs.cast(wide, field), factor);
  }

  private static PrimExpr zeroPoint(
      @Nullable TensorExpr zeroPoints, PrimExpr row, PrimExpr block, int bits) {
    if (zeroPoints == null) {
      return PackedOps.int32(1L << (bits - 1));
    }
    if (zeroPoints.dtype().isFloat()) {
      return zeroPoints.at(row, block);
    }
    int perByte = 8 / bits;
    return PackedOps.field(
        zeroPoints.at(row, Exprs.floorDiv(block, perByte)),
        Exprs.floorMod(block, perByte),
        bits,
        false);
  }

  private static void check(
      String op, TensorExpr q, TensorExpr scales, @Nullable TensorExpr zeroPoints, int bits) {
    Check.that(q.dtype().equals(DType.UINT8), op, "expected uint8, but got " + q.dtype());
    Check.rank(op, q, 3);
    Check.floats(op, scales);
    Check.rank(op, scales, 2);
    Check.that(bits == 2 || bits == 4 || bits == 8, op, "expected 2, 4 or 8 bits, but got " + bits);
    if (zeroPoints != null) {
      Check.rank(op, zeroPoints, 2);
      Check.that(
          zeroPoints.dtype().isFloat() || zeroPoints.dtype().equals(DType.UINT8),
          op,
          "expected zero points of floats or uint8, but got " + zeroPoints.dtype());
    }
  }
}
