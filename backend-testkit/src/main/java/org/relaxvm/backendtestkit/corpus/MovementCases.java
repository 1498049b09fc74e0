package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.CreationOps;
import org.relaxvm.tir.op.JoinOps;
import org.relaxvm.tir.op.PadOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.SliceOps;
import org.relaxvm.tir.te.TensorExpr;

/** Operators that make or move elements. */
final class MovementCases {
  private static final List<DType> DTYPES = CaseList.ALL;

  private MovementCases() {}

  static void addTo(CaseList list) {
    creation(list);
    shapes(list);
    joins(list);
    slices(list);
    updates(list);
    pads(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static void creation(CaseList list) {
    list.add(
        "full",
        DTYPES,
        (c, t) ->
            c.exact()
                .library("full", "3, Y")
                .build(
                    CreationOps.full(
                        c.k, "Y", List.of(c.dim("n", 3, 0), c.dim("m", 17)), imm(3), t)));
    list.add(
        "full_like",
        CaseList.joined(DTYPES, CaseList.FLOATS8),
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 17, 0));
          return c.exact().build(CreationOps.full(c.k, "Y", x.shape(), c.input("V", t), t));
        });
    list.add(
        "eye",
        DTYPES,
        (c, t) ->
            c.exact()
                .build(
                    CreationOps.eye(c.k, "Y", c.dim("n", 5, 0, 3), c.dim("m", 3, 17), imm(1), t)));
    list.add(
        "arange",
        CaseList.NUMBERS,
        (c, t) ->
            c.exact()
                .library("arange", "1, 2, Y")
                .build(
                    CreationOps.arange(c.k, "Y", imm(1), c.scalarDim("n", 17, 0, 33), imm(2), t)));
    list.add(
        "arange_down",
        CaseList.NUMBERS,
        (c, t) ->
            c.exact()
                .build(CreationOps.arange(c.k, "Y", c.scalarDim("n", 17, 0), imm(0), imm(-3), t)));
    list.add(
        "arange_float",
        CaseList.FLOATS,
        (c, t) ->
            c.library("arange", "0.5, 0.25, Y")
                .build(CreationOps.arange(c.k, "Y", f64(0.5), f64(4), f64(0.25), t)));
    list.add(
        "hamming_window",
        CaseList.FLOATS,
        (c, t) ->
            c.tolerance(1e-5, 1, "cosines of devices differ in their last bits")
                .build(
                    CreationOps.hammingWindow(
                        c.k, "Y", c.dim("n", 17, 1, 3), true, 0.54, 0.46, t)));
    list.add(
        "lower_left",
        CaseList.FLOATS8,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), c.dim("m", 5, 3));
          return c.exact().build(CreationOps.tril(c.k, "Y", x, imm(0)));
        });
    for (int k : List.of(-1, 0, 2)) {
      list.add(
          "tril_" + (k < 0 ? "below" : k),
          DTYPES,
          (c, t) -> {
            TensorExpr x = c.input("X", t, imm(2), c.dim("n", 3, 0, 7), c.dim("m", 5, 3));
            return c.exact()
                .library("tril", "X, " + k + ", Y")
                .build(CreationOps.tril(c.k, "Y", x, imm(k)));
          });
      list.add(
          "triu_" + (k < 0 ? "below" : k),
          DTYPES,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), c.dim("m", 5, 3));
            return c.exact()
                .library("triu", "X, " + k + ", Y")
                .build(CreationOps.triu(c.k, "Y", x, imm(k)));
          });
    }
    list.add(
        "one_hot",
        DTYPES,
        (c, t) -> {
          TensorExpr x =
              c.input("X", DType.INT32, new Fill.Given(0, 2, -1, 9, 1), c.dim("n", 5, 0, 17));
          PrimExpr on = Exprs.cast(t, imm(1));
          PrimExpr off = Exprs.cast(t, imm(0));
          if (t.isFloat()) {
            on = new FloatImm(t, 1);
            off = new FloatImm(t, 0);
          }
          return c.exact()
              .library("one_hot", "X, 1, 0, 0, Y")
              .build(CreationOps.oneHot(c.k, "Y", x, on, off, imm(4), 0));
        });
  }

  private static PrimExpr f64(double value) {
    return new FloatImm(DType.FLOAT64, value);
  }

  private static void shapes(CaseList list) {
    list.add(
        "broadcast_to",
        DTYPES,
        (c, t) -> {
          PrimExpr m = c.dim("m", 17, 0, 3);
          TensorExpr x = c.input("X", t, imm(1), m);
          return c.exact()
              .library("copy", "X, Y")
              .build(ShapeOps.broadcastTo(c.k, "Y", x, List.of(imm(2), imm(3), m)));
        });
    list.add(
        "reshape",
        DTYPES,
        (c, t) -> {
          PrimExpr n = c.dim("n", 3, 0, 17);
          TensorExpr x = c.input("X", t, n, imm(4), imm(3));
          return c.exact()
              .library("reshape", "X, Y")
              .build(ShapeOps.reshape(c.k, "Y", x, List.of(imm(2), n, imm(6))));
        });
    list.add(
        "flatten",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 17), c.dim("m", 5, 1));
          return c.exact().library("reshape", "X, Y").build(ShapeOps.flatten(c.k, "Y", x));
        });
    list.add(
        "batch_flatten",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0), imm(2), c.dim("m", 5, 1));
          return c.exact().library("reshape", "X, Y").build(ShapeOps.batchFlatten(c.k, "Y", x));
        });
    list.add(
        "expand_dims",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0), c.dim("m", 5));
          return c.exact()
              .library("reshape", "X, Y")
              .build(ShapeOps.expandDims(c.k, "Y", x, List.of(0, -1)));
        });
    list.add(
        "squeeze",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), c.dim("n", 3, 0), imm(1));
          return c.exact()
              .library("reshape", "X, Y")
              .build(ShapeOps.squeeze(c.k, "Y", x, List.of(0, 2)));
        });
    list.add(
        "permute_dims",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0), c.dim("m", 5, 17), imm(2));
          return c.exact()
              .library("permute_dims", "X, [2;0;1], Y")
              .build(ShapeOps.permuteDims(c.k, "Y", x, List.of(2, 0, 1)));
        });
    list.add(
        "transpose",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 33), c.dim("m", 5, 17));
          return c.exact()
              .library("permute_dims", "X, null, Y")
              .build(ShapeOps.permuteDims(c.k, "Y", x, null));
        });
    list.add(
        "flip",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 17), imm(2));
          return c.exact().library("flip", "X, 0, Y").build(ShapeOps.flip(c.k, "Y", x, 0));
        });
    list.add(
        "reverse_sequence",
        DTYPES,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 3);
          TensorExpr x = c.input("X", t, n, c.dim("m", 7, 9));
          TensorExpr lengths = c.input("L", DType.INT64, new Fill.Given(0, 1, 4, 7), n);
          return c.exact().build(ShapeOps.reverseSequence(c.k, "Y", x, lengths, 1, 0));
        });
    list.add(
        "tile",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7));
          return c.exact()
              .library("tile", "X, [2;3], Y")
              .build(ShapeOps.tile(c.k, "Y", x, List.of(2L, 3L)));
        });
    list.add(
        "repeat",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), imm(2));
          return c.exact()
              .library("repeat", "X, 3, 0, Y")
              .build(ShapeOps.repeat(c.k, "Y", x, 3, 0));
        });
    list.add(
        "repeat_flat",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), imm(2));
          return c.exact()
              .library("repeat", "X, 3, null, Y")
              .build(ShapeOps.repeat(c.k, "Y", x, 3, null));
        });
    list.add(
        "collapse_sum",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr m = c.dim("m", 5, 1, 17);
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), imm(4), m);
          return c.build(ShapeOps.collapseSum(c.k, "Y", x, List.of(imm(1), m)));
        });
  }

  private static void joins(CaseList list) {
    list.add(
        "concat",
        DTYPES,
        (c, t) -> {
          PrimExpr n = c.dim("n", 2, 0, 3);
          TensorExpr a = c.input("A", t, n, c.dim("p", 3, 0, 17));
          TensorExpr b = c.input("B", t, n, c.dim("q", 5, 1, 0));
          TensorExpr d = c.input("D", t, n, imm(2));
          return c.exact().build(JoinOps.concat(c.k, "Y", List.of(a, b, d), 1));
        });
    list.add(
        "stack",
        DTYPES,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 0, 17);
          TensorExpr a = c.input("A", t, n);
          return c.exact().build(JoinOps.stack(c.k, "Y", List.of(a, c.input("B", t, n)), 1));
        });
    list.add(
        "split",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0), c.dim("m", 17, 9, 3));
          List<TensorExpr> parts = JoinOps.split(c.k, "Y", x, 3, 1);
          return c.exact().build(parts.toArray(TensorExpr[]::new));
        });
    list.add(
        "split_at",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 7, 0, 17), imm(2));
          List<TensorExpr> parts = JoinOps.split(c.k, "Y", x, List.of(imm(2), imm(5)), 0);
          return c.exact().build(parts.toArray(TensorExpr[]::new));
        });
    list.add(
        "meshgrid",
        DTYPES,
        (c, t) -> {
          TensorExpr a = c.input("A", t, c.dim("n", 3, 0, 7));
          TensorExpr b = c.input("B", t, c.dim("m", 5, 2));
          List<TensorExpr> grids = JoinOps.meshgrid(c.k, "Y", List.of(a, b));
          return c.exact().build(grids.toArray(TensorExpr[]::new));
        });
  }

  private static void slices(CaseList list) {
    list.add(
        "strided_slice",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 7, 0, 1, 17), imm(3), c.dim("m", 9, 4));
          return c.exact()
              .library("strided_slice", "X, [0;2], [-5;1], [9223372036854775807;-1], [2;3], Y")
              .build(
                  SliceOps.stridedSlice(
                      c.k,
                      "Y",
                      x,
                      List.of(0, 2),
                      List.of(imm(-5), imm(1)),
                      List.of(imm(Long.MAX_VALUE), imm(-1)),
                      List.of(2L, 3L),
                      false));
        });
    list.add(
        "strided_slice_back",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 7, 0, 1, 17));
          return c.exact()
              .library("strided_slice", "X, [0], [-1], [-100], [-2], Y")
              .build(
                  SliceOps.stridedSlice(
                      c.k,
                      "Y",
                      x,
                      List.of(0),
                      List.of(imm(-1)),
                      List.of(imm(-100)),
                      List.of(-2L),
                      false));
        });
    list.add(
        "strided_slice_inside",
        DTYPES,
        (c, t) -> {
          PrimExpr n = c.dim("n", 7, 3, 17);
          TensorExpr x = c.input("X", t, n);
          return c.exact()
              .build(
                  SliceOps.stridedSlice(
                      c.k, "Y", x, List.of(0), List.of(imm(1)), List.of(n), List.of(1L), true));
        });
    list.add(
        "dynamic_slice_shape",
        List.of(DType.INT64),
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 7, 0, 17), imm(5));
          TensorExpr begin = c.input("begin", t, new Fill.Given(-1, 1), imm(2));
          TensorExpr end = c.input("end", t, new Fill.Given(-100, 4), imm(2));
          TensorExpr step = c.input("step", t, new Fill.Given(-2, 2), imm(2));
          return c.exact().build(SliceOps.dynamicSliceShape(c.k, "Y", x, begin, end, step));
        });
    list.add(
        "dynamic_strided_slice",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(7), imm(5));
          TensorExpr begin = c.input("begin", DType.INT64, new Fill.Given(-1, 1), imm(2));
          TensorExpr end = c.input("end", DType.INT64, new Fill.Given(-100, 4), imm(2));
          TensorExpr step = c.input("step", DType.INT64, new Fill.Given(-2, 2), imm(2));
          List<PrimExpr> shape = List.of(c.dim("p", 4), c.dim("q", 2));
          return c.exact()
              .build(SliceOps.dynamicStridedSlice(c.k, "Y", x, begin, end, step, shape));
        });
    list.add(
        "slice_scatter",
        DTYPES,
        (c, t) -> {
          PrimExpr m = c.dim("m", 5, 0, 17);
          TensorExpr x = c.input("X", t, m, imm(9));
          TensorExpr source = c.input("S", t, m, imm(3));
          return c.exact().build(SliceOps.sliceScatter(c.k, "Y", x, source, imm(2), imm(-1), 2, 1));
        });
  }

  private static void updates(CaseList list) {
    for (boolean circular : new boolean[] {false, true}) {
      list.add(
          "row_update" + (circular ? "_circular" : ""),
          DTYPES,
          (c, t) -> {
            PrimExpr n = c.dim("n", 3, 1);
            TensorExpr x = c.input("X", t, n, c.dim("m", 5, 4), imm(2));
            TensorExpr source = c.input("S", t, n, c.dim("k", 3, 2), imm(2));
            TensorExpr begin = c.input("B", DType.INT64, new Fill.Given(3, 0, 1), n);
            return c.exact().build(SliceOps.rowUpdate(c.k, "Y", x, source, begin, 1, circular));
          });
    }
  }

  private static void pads(CaseList list) {
    list.add(
        "pad_constant",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), c.dim("m", 5, 1));
          return c.exact()
              .library("pad", "X, [1;2;0;3], 'constant', 1, Y")
              .build(PadOps.constant(c.k, "Y", x, List.of(1L, 2L, 0L, 3L), imm(1)));
        });
    for (PadOps.Mode mode : PadOps.Mode.values()) {
      String name =
          switch (mode) {
            case REFLECT -> "reflect";
            case REPLICATE -> "replicate";
            case CIRCULAR -> "circular";
          };
      list.add(
          "pad_" + name,
          DTYPES,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 3, 7), c.dim("m", 5, 4));
            return c.exact()
                .library("pad", "X, [1;2;0;3], '" + name + "', 0, Y")
                .build(PadOps.pad(c.k, "Y", x, List.of(1L, 2L, 0L, 3L), mode));
          });
    }
    for (PadOps.Mode mode : PadOps.Mode.values()) {
      list.add(
          "pad_by_" + mode.name().toLowerCase(Locale.ROOT),
          DTYPES,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 3, 7), c.dim("m", 5, 4));
            PrimExpr wide = c.scalarDim("b", 9, 2);
            return c.exact()
                .build(
                    PadOps.padBy(
                        c.k, "Y", x, List.of(imm(-1), wide), List.of(imm(4), imm(-2)), mode));
          });
    }
    list.add(
        "pad_by_constant",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 7), c.dim("m", 5, 4));
          TensorExpr value = c.input("V", t, new Fill.Given(1));
          PrimExpr after = Exprs.sub(imm(1), c.scalarDim("a", 3, 0));
          return c.exact()
              .build(
                  PadOps.constantBy(
                      c.k, "Y", x, List.of(imm(2), imm(-1)), List.of(imm(0), after), value));
        });
    list.add(
        "pixel_shuffle",
        DTYPES,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 2, 0), imm(8), c.dim("h", 3), c.dim("w", 2));
          return c.exact().build(PadOps.pixelShuffle(c.k, "Y", x, 2));
        });
  }
}
