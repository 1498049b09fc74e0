package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.nn.AttentionOps;
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
            CaseList.FLOATS,
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
}
