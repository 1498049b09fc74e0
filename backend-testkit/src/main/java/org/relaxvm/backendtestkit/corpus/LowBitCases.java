package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.BlockQuantizedOps;
import org.relaxvm.tir.op.FloatCode;
import org.relaxvm.tir.op.FloatCodeOps;
import org.relaxvm.tir.op.FloatCodeOps.Rounding;
import org.relaxvm.tir.op.PackedOps;
import org.relaxvm.tir.op.UnfoldOps;
import org.relaxvm.tir.te.TensorExpr;

/** Elements of less than 8 bits, codes of numbers, blocks, and windows as columns. */
final class LowBitCases {
  private static final Fill BYTE = new Fill.Numbers(0, 255);

  /** Bits of 1, 1.75, 3 * 2^-9, -448, 1e30, infinity, NaN, 0 and a subnormal number. */
  private static final Fill FLOAT_BITS =
      new Fill.Given(
          0x3F800000, 0x3FE00000, 0x3BC00000, 0xC3E00000, 0x7149F2CA, 0x7F800000, 0x7FC00000, 0, 1);

  private LowBitCases() {}

  static void addTo(CaseList list) {
    for (int bits : new int[] {1, 2, 4}) {
      packed(list, bits);
    }
    for (FloatCode format : FloatCode.values()) {
      for (boolean saturates : new boolean[] {false, true}) {
        codes(list, format, saturates);
      }
    }
    for (int bits : new int[] {2, 4, 8}) {
      blocks(list, bits);
    }
    windows(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static void packed(CaseList list, int bits) {
    list.add(
        "unpack_" + bits + "_bits",
        List.of(DType.INT8, DType.UINT8),
        (c, t) -> {
          PrimExpr bytes = c.dim("n", 5, 0, 33);
          TensorExpr x = c.input("X", DType.UINT8, BYTE, bytes);
          List<PrimExpr> shape = List.of(bytes, imm(8 / bits));
          boolean isSigned = t.equals(DType.INT8);
          return c.exact().build(PackedOps.unpack(c.k, "Y", x, shape, bits, isSigned));
        });
    list.add(
        "pack_" + bits + "_bits",
        List.of(DType.INT8, DType.UINT8),
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 7, 0, 1, 64), imm(3));
          return c.exact().build(PackedOps.pack(c.k, "Y", x, bits));
        });
  }

  private static void codes(CaseList list, FloatCode format, boolean saturates) {
    Rounding rounding = saturates ? Rounding.UP : Rounding.NEAREST;
    list.add(
        "encode_" + format.dtype() + (saturates ? "_saturating" : ""),
        List.of(DType.INT32),
        (c, t) -> {
          TensorExpr bits = c.input("X", t, FLOAT_BITS, c.dim("n", 33, 0, 9));
          return c.exact().build(FloatCodeOps.encode(c.k, "Y", bits, format, saturates, rounding));
        });
  }

  private static void blocks(CaseList list, int bits) {
    for (boolean hasZeroPoints : new boolean[] {false, true}) {
      String name = bits + "_bits" + (hasZeroPoints ? "_zero_points" : "");
      list.add(
          "matmul_" + name,
          List.of(DType.FLOAT32, DType.FLOAT16),
          (c, t) -> {
            PrimExpr blocks = c.dim("b", 3, 1);
            PrimExpr columns = c.dim("n", 9, 2);
            PrimExpr perByte = imm(8 / bits);
            TensorExpr x =
                c.input(
                    "X", t, new Fill.Numbers(-2, 2), c.dim("m", 2, 0, 17), blocks, perByte, imm(8));
            TensorExpr q = c.input("Q", DType.UINT8, BYTE, columns, blocks, imm(8));
            TensorExpr s = c.input("S", t, new Fill.Given(0.5, 0.25), columns, blocks);
            TensorExpr z = zeroPoints(c, hasZeroPoints, t, columns, blocks);
            return c.build(BlockQuantizedOps.matmul(c.k, "Y", x, q, s, z, bits));
          });
      list.add(
          "columns_" + name,
          List.of(DType.FLOAT32),
          (c, t) -> {
            PrimExpr columns = c.dim("n", 9, 2, 0);
            TensorExpr q = c.input("Q", DType.UINT8, BYTE, columns, imm(3), imm(8));
            TensorExpr s = c.input("S", t, new Fill.Given(0.5, 0.25), columns, imm(3));
            TensorExpr z = zeroPoints(c, hasZeroPoints, t, columns, imm(3));
            PrimExpr extent = imm(3 * 8 * (8 / bits) - 1);
            return c.build(BlockQuantizedOps.columns(c.k, "Y", q, s, z, bits, extent, t));
          });
    }
  }

  /** Floats beside float16, bytes beside float32. */
  private static @Nullable TensorExpr zeroPoints(
      CaseBuilder c, boolean isThere, DType dtype, PrimExpr columns, PrimExpr blocks) {
    if (!isThere) {
      return null;
    }
    return dtype.equals(DType.FLOAT16)
        ? c.input("Z", dtype, new Fill.Numbers(0, 3), columns, blocks)
        : c.input("Z", DType.UINT8, BYTE, columns, blocks);
  }

  private static void windows(CaseList list) {
    list.add(
        "unfold",
        List.of(DType.FLOAT32, DType.INT8, DType.FLOAT16),
        (c, t) -> {
          TensorExpr x =
              c.input("X", t, c.dim("n", 2, 0), imm(3), c.dim("h", 9, 5), c.dim("w", 8, 5));
          return c.exact()
              .build(
                  UnfoldOps.unfold(c.k, "Y", x, List.of(3L, 2L), List.of(2L, 1L), List.of(1L, 2L)));
        });
  }
}
