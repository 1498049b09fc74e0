package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.te.TensorExpr;

/** Attention: masks, windows, heads that share keys. */
final class AttentionCases {
  private static final String ORDER =
      "the order of summation is not specified, and functions differ in their last bits";

  private AttentionCases() {}

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  static void addTo(CaseList list) {
    masks(list);
    windows(list);
    blocks(list);
    extremes(list);
  }

  private static void masks(CaseList list) {
    for (AttentionOps.CausalMask mask : AttentionOps.CausalMask.values()) {
      boolean biased = mask == AttentionOps.CausalMask.NONE;
      list.add(
          "attention_" + mask.text().toLowerCase(Locale.ROOT),
          CaseList.FLOATS,
          (c, t) -> {
            PrimExpr b = c.dim("b", 2, 0, 1);
            PrimExpr sq = c.dim("sq", 3, 2, 5);
            PrimExpr sk = c.dim("sk", 5, 7, 3);
            Fill fill = new Fill.Reals(-1, 1);
            TensorExpr q = c.input("Q", t, fill, b, sq, imm(4), imm(3));
            TensorExpr k = c.input("K", t, fill, b, sk, imm(2), imm(3));
            TensorExpr v = c.input("V", t, fill, b, sk, imm(2), imm(2));
            @Nullable TensorExpr bias = biased ? c.input("B", t, imm(1), imm(4), sq, sk) : null;
            Double scale = biased ? null : Double.valueOf(0.5);
            return c.tolerance(1e-5, 1e-2, ORDER)
                .build(AttentionOps.attention(c.k, "Y", q, k, v, bias, scale, mask));
          });
    }
    list.add(
        "attention_without_keys",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr sk = c.dim("sk", 0, 0, 2);
          TensorExpr q = c.input("Q", t, imm(1), imm(2), imm(1), imm(3));
          TensorExpr k = c.input("K", t, imm(1), sk, imm(1), imm(3));
          TensorExpr v = c.input("V", t, imm(1), sk, imm(1), imm(2));
          return c.tolerance(1e-5, 1e-2, ORDER)
              .build(
                  AttentionOps.attention(
                      c.k, "Y", q, k, v, null, null, AttentionOps.CausalMask.NONE));
        });
  }

  private static void windows(CaseList list) {
    for (AttentionOps.CausalMask mask :
        List.of(AttentionOps.CausalMask.TOP_LEFT, AttentionOps.CausalMask.BOTTOM_RIGHT)) {
      for (long window : List.of(1L, 3L)) {
        list.add(
            "attention_" + mask.text().toLowerCase(Locale.ROOT) + "_window" + window,
            window == 1 ? List.of(DType.FLOAT32) : List.of(DType.FLOAT32, DType.BFLOAT16),
            (c, t) -> {
              PrimExpr b = c.dim("b", 2, 0, 1);
              PrimExpr sq = c.dim("sq", 7, 2, 1, 9, 5);
              PrimExpr sk = c.dim("sk", 5, 7, 1, 3, 0);
              Fill fill = new Fill.Reals(-1, 1);
              TensorExpr q = c.input("Q", t, fill, b, sq, imm(4), imm(3));
              TensorExpr k = c.input("K", t, fill, b, sk, imm(2), imm(3));
              TensorExpr v = c.input("V", t, fill, b, sk, imm(2), imm(2));
              @Nullable TensorExpr bias =
                  window == 1 ? null : c.input("B", t, imm(1), imm(4), sq, sk);
              return c.tolerance(1e-5, 1e-2, ORDER)
                  .build(AttentionOps.attention(c.k, "Y", q, k, v, bias, null, mask, window));
            });
      }
    }
  }

  /** More queries and keys than a group of a device takes at once, in no whole number of blocks. */
  private static void blocks(CaseList list) {
    for (AttentionOps.CausalMask mask : AttentionOps.CausalMask.values()) {
      list.add(
          "attention_blocks_" + mask.text().toLowerCase(Locale.ROOT),
          CaseList.FLOATS,
          (c, t) -> {
            PrimExpr sq = c.dim("sq", 69, 8, 1);
            PrimExpr sk = c.dim("sk", 67, 130, 1);
            Fill fill = new Fill.Reals(-2, 2);
            TensorExpr q = c.input("Q", t, fill, imm(1), sq, imm(2), imm(5));
            TensorExpr k = c.input("K", t, fill, imm(1), sk, imm(1), imm(5));
            // Of one sign, since sums of many that cancel out are as exact as the largest of them.
            TensorExpr v = c.input("V", t, new Fill.Reals(0.5, 2), imm(1), sk, imm(1), imm(3));
            return c.tolerance(1e-5, 1e-2, ORDER)
                .build(AttentionOps.attention(c.k, "Y", q, k, v, null, null, mask));
          });
    }
  }

  /** Scores and values that are not finite, in some rows of scores and some keys. */
  private static void extremes(CaseList list) {
    int keys = 67;
    double[] bias = new double[12 * keys];
    for (int key = 0; key < keys; key++) {
      bias[key] = Double.NEGATIVE_INFINITY;
      bias[keys + key] = key == 66 ? 0.5 : Double.NEGATIVE_INFINITY;
      bias[2 * keys + key] = key == 1 ? 0.5 : Double.NEGATIVE_INFINITY;
      bias[3 * keys + key] = key == 65 ? Double.NaN : 0.25;
      bias[4 * keys + key] = key == 2 ? Double.NaN : Double.NEGATIVE_INFINITY;
      bias[5 * keys + key] = key == 3 ? Double.POSITIVE_INFINITY : 0.25;
      bias[6 * keys + key] = key == 66 ? Double.POSITIVE_INFINITY : -0.25;
      bias[7 * keys + key] = key % 3 == 0 ? Double.NEGATIVE_INFINITY : 0.01 * key;
    }
    double[] values = new double[2 * keys];
    for (int i = 0; i < values.length; i++) {
      values[i] = 0.125 * (i % 9);
    }
    values[40] = Double.NaN;
    values[2 * 50 + 1] = Double.POSITIVE_INFINITY;
    for (AttentionOps.CausalMask mask : AttentionOps.CausalMask.values()) {
      list.add(
          "attention_extremes_" + mask.text().toLowerCase(Locale.ROOT),
          mask == AttentionOps.CausalMask.NONE ? CaseList.FLOATS : List.of(DType.FLOAT32),
          (c, t) -> {
            PrimExpr sq = c.dim("sq", 70, 12);
            PrimExpr sk = c.dim("sk", keys, keys);
            Fill fill = new Fill.Reals(-1, 1);
            TensorExpr q = c.input("Q", t, fill, imm(1), sq, imm(1), imm(2));
            TensorExpr k = c.input("K", t, fill, imm(1), sk, imm(1), imm(2));
            TensorExpr v = c.input("V", t, new Fill.Given(values), imm(1), sk, imm(1), imm(2));
            TensorExpr b = c.input("B", t, new Fill.Given(bias), imm(1), imm(1), sq, sk);
            return c.tolerance(1e-5, 1e-2, ORDER)
                .build(AttentionOps.attention(c.k, "Y", q, k, v, b, null, mask));
          });
    }
  }
}
