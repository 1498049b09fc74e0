package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.layout.IndexMap;
import org.relaxvm.tir.op.layout.LayoutOps;
import org.relaxvm.tir.te.TensorExpr;

/** Elements moved by index maps. */
final class IndexMapCases {
  private IndexMapCases() {}

  static void addTo(CaseList list) {
    dense(list);
    holes(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static KernelCase transformed(
      CaseBuilder c, TensorExpr x, IndexMap map, @Nullable PrimExpr pad) {
    return c.exact().build(LayoutOps.layoutTransform(c.k, "Y", x, map, pad));
  }

  private static void dense(CaseList list) {
    list.add(
        "layout_transform_transpose",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 17), c.dim("m", 5, 1, 33));
          return transformed(c, x, IndexMap.of(2, List::reversed), null);
        });
    list.add(
        "layout_transform_blocked",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr channels = Exprs.mul(c.dim("b", 2, 1, 0, 3), 4);
          TensorExpr x = c.input("X", t, c.dim("n", 2, 1), channels, c.dim("h", 3, 1, 5));
          IndexMap map =
              IndexMap.of(
                  3,
                  i ->
                      List.of(
                          i.get(0),
                          Exprs.floorDiv(i.get(1), 4),
                          i.get(2),
                          Exprs.floorMod(i.get(1), 4)));
          return transformed(c, x, map, null);
        });
    list.add(
        "layout_transform_joined",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr m = c.dim("m", 5, 1, 17, 0);
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1), m, imm(2));
          IndexMap map =
              IndexMap.of(3, i -> List.of(i.get(2), Exprs.add(Exprs.mul(i.get(0), m), i.get(1))));
          return transformed(c, x, map, null);
        });
    // The order of bits of the second axis is reversed, and back in the inverse.
    list.add(
        "layout_transform_swizzled",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 17), imm(24));
          IndexMap map =
              IndexMap.of(
                  2,
                  i -> {
                    PrimExpr low = Exprs.mul(Exprs.floorMod(i.get(1), 4), 6);
                    return List.of(imm(0), i.get(0), Exprs.add(low, Exprs.floorDiv(i.get(1), 4)));
                  });
          return transformed(c, x, map, null);
        });
  }

  private static void holes(CaseList list) {
    list.add(
        "layout_transform_padded",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 14, 0, 1, 4, 33));
          IndexMap map =
              IndexMap.of(
                  1, i -> List.of(Exprs.floorDiv(i.get(0), 4), Exprs.floorMod(i.get(0), 4)));
          return transformed(c, x, map, imm(1));
        });
    list.add(
        "layout_transform_tiles",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 7, 0, 1, 8), c.dim("m", 9, 3, 33, 1));
          IndexMap map =
              IndexMap.of(
                  2,
                  i ->
                      List.of(
                          Exprs.floorDiv(i.get(0), 4),
                          Exprs.floorDiv(i.get(1), 8),
                          Exprs.floorMod(Exprs.floorDiv(i.get(1), 2), 4),
                          Exprs.add(
                              Exprs.mul(Exprs.floorMod(i.get(0), 4), 2),
                              Exprs.floorMod(i.get(1), 2))));
          return transformed(c, x, map, imm(3));
        });
    list.add(
        "layout_transform_gaps",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 11, 0, 1, 3, 17), imm(3));
          IndexMap map =
              IndexMap.of(
                  2,
                  i -> {
                    PrimExpr row = Exprs.mul(Exprs.floorDiv(i.get(0), 3), 8);
                    PrimExpr column = Exprs.floorMod(i.get(0), 3);
                    return List.of(Exprs.mul(i.get(1), 2), Exprs.add(row, column));
                  });
          return transformed(c, x, map, imm(2));
        });
    list.add(
        "layout_transform_empty",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(0), c.dim("m", 5, 0, 1));
          IndexMap map = IndexMap.of(2, i -> List.of(i.get(1), Exprs.floorMod(i.get(0), 4)));
          return transformed(c, x, map, imm(1));
        });
  }
}
