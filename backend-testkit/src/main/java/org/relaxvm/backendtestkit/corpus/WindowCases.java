package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.DeformOps;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.te.TensorExpr;

/** Windows whose result is an index, or whose elements lie anywhere. */
final class WindowCases {
  private WindowCases() {}

  static void addTo(CaseList list) {
    indices(list);
    columns(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static void indices(CaseList list) {
    for (boolean ceil : new boolean[] {false, true}) {
      PoolAttrs attrs =
          PoolAttrs.of(List.of(3L, 2L))
              .with(List.of(2L, 2L), List.of(1L, 0L, 1L, 1L), List.of(1L, 2L))
              .withOutside(ceil, false);
      list.add(
          "max_pool2d_indices" + (ceil ? "_ceil" : ""),
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x =
                c.input("X", t, c.dim("n", 2, 0), imm(2), c.dim("h", 7, 4), c.dim("w", 6, 5));
            return c.exact().build(PoolOps.maxPoolIndices(c.k, "Y", x, attrs));
          });
    }
    list.add(
        "max_pool1d_indices_of_equals",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, new Fill.Given(1, 1, 0), imm(2), imm(1), c.dim("w", 9, 5));
          PoolAttrs attrs =
              PoolAttrs.of(List.of(2L)).with(List.of(1L), List.of(2L, 2L), List.of(1L));
          return c.exact().build(PoolOps.maxPoolIndices(c.k, "Y", x, attrs));
        });
  }

  private static void columns(CaseList list) {
    for (boolean masked : new boolean[] {false, true}) {
      list.add(
          "deformable_columns" + (masked ? "_masked" : ""),
          CaseList.FLOATS,
          (c, t) -> {
            PrimExpr n = c.dim("n", 2, 0, 1);
            PrimExpr h = c.dim("h", 3, 1);
            TensorExpr x = c.input("X", t, n, imm(4), c.dim("ih", 5, 2), imm(4));
            Fill apart = new Fill.Numbers(-2, 2);
            TensorExpr offset = c.input("O", t, apart, n, imm(2 * 3 * 2), h, imm(2));
            TensorExpr mask =
                masked ? c.input("M", t, new Fill.Numbers(0, 1), n, imm(2 * 3), h, imm(2)) : null;
            PoolAttrs attrs =
                PoolAttrs.of(List.of(1L, 3L))
                    .with(List.of(2L, 1L), List.of(0L, 1L, 1L, 0L), List.of(1L, 2L));
            return c.build(DeformOps.columns(c.k, "Y", x, offset, mask, attrs, 2));
          });
    }
    list.add(
        "deformable_columns_of_volumes",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), imm(2), c.dim("d", 4, 2), imm(3), imm(2));
          Fill apart = new Fill.Numbers(-1, 1);
          TensorExpr offset = c.input("O", t, apart, imm(1), imm(6), imm(2), imm(2), imm(1));
          PoolAttrs attrs = PoolAttrs.of(List.of(2L, 1L, 1L));
          return c.build(DeformOps.columns(c.k, "Y", x, offset, null, attrs, 1));
        });
  }
}
