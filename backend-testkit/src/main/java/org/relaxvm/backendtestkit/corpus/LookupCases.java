package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.IndexingOps;
import org.relaxvm.tir.op.OrderingOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.ScanOps;
import org.relaxvm.tir.op.ScatterOps;
import org.relaxvm.tir.te.TensorExpr;

/** Operators that look elements up, put elements in order, and reduce axes. */
final class LookupCases {
  private LookupCases() {}

  static void addTo(CaseList list) {
    gathers(list);
    scatters(list);
    ordering(list);
    reductions(list);
    scans(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static void gathers(CaseList list) {
    for (IndexingOps.Mode mode : IndexingOps.Mode.values()) {
      String text = mode.name().toLowerCase(Locale.ROOT);
      boolean nan = mode == IndexingOps.Mode.NAN;
      list.add(
          "take_" + text,
          nan ? CaseList.FLOATS : CaseList.ALL,
          (c, t) -> {
            PrimExpr n = c.dim("n", 5, 1, 17);
            TensorExpr x = c.input("X", t, imm(2), n, c.dim("m", 3, 0));
            Fill fill =
                mode == IndexingOps.Mode.FAST
                    ? new Fill.Indices(n, true)
                    : new Fill.Given(0, -3, 2, 100, 1);
            TensorExpr indices = c.input("I", DType.INT32, fill, c.dim("p", 7, 0), imm(2));
            return c.exact()
                .library("take", "X, I, 1, '" + text + "', Y")
                .build(IndexingOps.take(c.k, "Y", x, indices, 1, mode));
          });
    }
    list.add(
        "take_scalar",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 1, 17);
          TensorExpr x = c.input("X", t, n, imm(3));
          TensorExpr indices = c.input("I", DType.INT64, new Fill.Indices(n, false));
          return c.exact()
              .library("take", "X, I, 0, 'fast', Y")
              .build(IndexingOps.take(c.k, "Y", x, indices, 0, IndexingOps.Mode.FAST));
        });
    list.add(
        "gather_elements",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 1, 17);
          PrimExpr m = c.dim("m", 3, 0);
          TensorExpr x = c.input("X", t, n, m);
          TensorExpr indices = c.input("I", DType.INT64, new Fill.Indices(n, true), imm(7), m);
          return c.exact()
              .library("gather_elements", "X, I, 0, Y")
              .build(IndexingOps.gatherElements(c.k, "Y", x, indices, 0));
        });
    list.add(
        "gather_nd",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr b = c.dim("b", 2, 1);
          PrimExpr n = c.dim("n", 5, 3);
          TensorExpr x = c.input("X", t, b, n, n, c.dim("r", 3, 0));
          TensorExpr indices =
              c.input("I", DType.INT32, new Fill.Indices(n, true), b, imm(4), imm(2));
          return c.exact()
              .library("gather_nd", "X, I, 1, Y")
              .build(IndexingOps.gatherNd(c.k, "Y", x, indices, 1));
        });
    list.add(
        "index_tensor",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 3);
          TensorExpr x = c.input("X", t, n, n, imm(2));
          TensorExpr i = c.input("I", DType.INT64, new Fill.Indices(n, true), imm(3), imm(1));
          TensorExpr j = c.input("J", DType.INT64, new Fill.Indices(n, false), c.dim("q", 4, 0));
          return c.exact().build(IndexingOps.indexTensor(c.k, "Y", x, List.of(i, j)));
        });
    list.add(
        "where",
        CaseList.ALL,
        (c, t) -> {
          PrimExpr n = c.dim("n", 3, 0, 17);
          TensorExpr condition = c.input("C", DType.BOOL, n, imm(1));
          TensorExpr a = c.input("A", t, n, imm(5));
          return c.exact()
              .library("where", "C, A, B, Y")
              .build(IndexingOps.where(c.k, "Y", condition, a, c.input("B", t, imm(5))));
        });
    for (boolean right : new boolean[] {false, true}) {
      list.add(
          "bucketize_" + (right ? "right" : "left"),
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, new Fill.Numbers(0, 12), c.dim("n", 17, 0));
            TensorExpr edges = c.input("E", t, new Fill.Ascending(1, 9), c.dim("m", 5, 0, 8));
            return c.exact().build(IndexingOps.bucketize(c.k, "Y", x, edges, right, DType.INT64));
          });
    }
  }

  private static void scatters(CaseList list) {
    for (ScatterOps.Reduction reduction : ScatterOps.Reduction.values()) {
      String text = reduction.name().toLowerCase(Locale.ROOT);
      List<DType> dtypes =
          reduction == ScatterOps.Reduction.UPDATE ? CaseList.ALL : CaseList.NUMBERS;
      list.add(
          "scatter_elements_" + text,
          dtypes,
          (c, t) -> {
            PrimExpr n = c.dim("n", 5, 1, 17);
            PrimExpr m = c.dim("m", 3, 0);
            TensorExpr x = c.input("X", t, n, m);
            TensorExpr indices = c.input("I", DType.INT64, new Fill.Indices(n, true), imm(4), m);
            TensorExpr updates = c.input("U", t, new Fill.Numbers(0, 3), imm(4), m);
            return c.library("scatter_elements", "X, I, U, 0, '" + text + "', Y")
                .build(ScatterOps.scatterElements(c.k, "Y", x, indices, updates, 0, reduction));
          });
      list.add(
          "scatter_nd_" + text,
          dtypes,
          (c, t) -> {
            PrimExpr n = c.dim("n", 5, 3);
            PrimExpr r = c.dim("r", 3, 0);
            TensorExpr x = c.input("X", t, n, n, r);
            TensorExpr indices =
                c.input("I", DType.INT32, new Fill.Indices(n, true), imm(4), imm(2));
            TensorExpr updates = c.input("U", t, new Fill.Numbers(0, 3), imm(4), r);
            return c.library("scatter_nd", "X, I, U, '" + text + "', Y")
                .build(ScatterOps.scatterNd(c.k, "Y", x, indices, updates, reduction));
          });
    }
    list.add(
        "index_put",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 3);
          TensorExpr x = c.input("X", t, n, imm(3));
          TensorExpr indices = c.input("I", DType.INT64, new Fill.Indices(n, true), imm(4));
          TensorExpr values = c.input("V", t, new Fill.Numbers(0, 3), imm(1), imm(3));
          return c.build(ScatterOps.indexPut(c.k, "Y", x, List.of(indices), values, true));
        });
  }

  private static void ordering(CaseList list) {
    Fill ties = new Fill.Given(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5);
    for (boolean descending : new boolean[] {false, true}) {
      String order = descending ? "down" : "up";
      list.add(
          "sort_" + order,
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 2, 0), c.dim("m", 17, 0, 1, 33));
            return c.exact()
                .library("sort", "X, 1, " + descending + ", Y")
                .build(OrderingOps.sort(c.k, "Y", x, 1, descending));
          });
      list.add(
          "argsort_" + order,
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, ties, c.dim("m", 17, 0, 1, 9), imm(2));
            return c.exact()
                .library("argsort", "X, 0, " + descending + ", Y")
                .build(OrderingOps.argsort(c.k, "Y", x, 0, descending, DType.INT32));
          });
      list.add(
          "topk_" + order,
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, ties, c.dim("n", 2, 0), c.dim("m", 17, 5, 9));
            return c.exact()
                .build(
                    OrderingOps.topk(c.k, "Y", x, imm(3), -1, descending, DType.INT64)
                        .toArray(TensorExpr[]::new));
          });
    }
    list.add(
        "sort_nan",
        CaseList.FLOATS,
        (c, t) -> {
          Fill odd = new Fill.Given(1, Double.NaN, -0.0, 0, Double.POSITIVE_INFINITY, -2);
          TensorExpr x = c.input("X", t, odd, c.dim("m", 17, 9));
          return c.exact()
              .library("argsort", "X, 0, false, Y")
              .build(OrderingOps.argsort(c.k, "Y", x, 0, false, DType.INT64));
        });
    list.add(
        "median",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, ties, c.dim("n", 2, 0), c.dim("m", 4, 5, 1));
          return c.exact()
              .build(OrderingOps.median(c.k, "Y", x, 1, true).toArray(TensorExpr[]::new));
        });
    list.add(
        "median_all",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, ties, imm(2), c.dim("m", 4, 5, 1));
          return c.exact()
              .build(OrderingOps.median(c.k, "Y", x, null, false).toArray(TensorExpr[]::new));
        });
  }

  private static void reductions(CaseList list) {
    for (String op : List.of("sum", "max", "min", "prod", "mean", "variance", "std")) {
      boolean floats = List.of("mean", "variance", "std").contains(op);
      for (List<Integer> axes :
          List.of(List.of(0), List.of(1), List.of(0, 2), List.<Integer>of())) {
        boolean all = axes.isEmpty();
        boolean keep = axes.equals(List.of(1));
        String name = op + (all ? "_all" : "_" + axes.size() + "_from_" + axes.getFirst());
        list.add(
            name,
            floats ? CaseList.FLOATS : CaseList.NUMBERS,
            (c, t) -> {
              // Reductions over nothing are for sums only: the library has no largest element.
              boolean nothing = op.equals("sum") || op.equals("prod");
              PrimExpr n = nothing ? c.dim("n", 3, 0, 1) : c.dim("n", 3, 1, 7);
              PrimExpr m = c.dim("m", 17, 1, 5);
              TensorExpr x =
                  op.equals("prod")
                      ? c.input("X", t, new Fill.Given(1, 2, 1, 1, 1, 1, 1), n, m, imm(2))
                      : c.input("X", t, n, m, imm(2));
              String list2 = all ? "null" : axes.toString().replace(", ", ";");
              CaseBuilder named =
                  floats && !op.equals("mean")
                      ? c.tolerance(1e-5, 1e-2, "the order of summation is not specified")
                      : c.library(op, "X, " + list2 + ", " + keep + ", Y");
              return named.build(reduction(c, op, x, all ? null : axes, keep));
            });
      }
    }
    for (boolean largest : new boolean[] {true, false}) {
      String op = largest ? "argmax" : "argmin";
      list.add(
          op,
          CaseList.NUMBERS,
          (c, t) -> {
            Fill ties = new Fill.Given(3, 1, 4, 1, 5, 9, 2, 6, 9, 3, 0, 0);
            TensorExpr x = c.input("X", t, ties, c.dim("n", 3, 0, 5), c.dim("m", 17, 1, 5));
            return c.exact().library(op, "X, 1, false, Y").build(extreme(c, largest, x, 1));
          });
      list.add(
          op + "_all",
          CaseList.FLOATS,
          (c, t) -> {
            Fill ties = new Fill.Given(3, 1, 4, Double.NaN, 5, 9, 2, Double.NaN);
            TensorExpr x = c.input("X", t, ties, c.dim("n", 3, 1, 5), c.dim("m", 7, 1, 5));
            return c.exact().library(op, "X, null, false, Y").build(extreme(c, largest, x, null));
          });
    }
  }

  private static TensorExpr extreme(
      CaseBuilder c, boolean largest, TensorExpr x, @Nullable Integer axis) {
    return largest
        ? ReductionOps.argmax(c.k, "Y", x, axis, false, DType.INT64)
        : ReductionOps.argmin(c.k, "Y", x, axis, false, DType.INT64);
  }

  private static TensorExpr reduction(
      CaseBuilder c, String op, TensorExpr x, @Nullable List<Integer> axes, boolean keep) {
    return switch (op) {
      case "sum" -> ReductionOps.sum(c.k, "Y", x, axes, keep);
      case "max" -> ReductionOps.max(c.k, "Y", x, axes, keep);
      case "min" -> ReductionOps.min(c.k, "Y", x, axes, keep);
      case "prod" -> ReductionOps.prod(c.k, "Y", x, axes, keep);
      case "mean" -> ReductionOps.mean(c.k, "Y", x, axes, keep);
      case "variance" -> ReductionOps.variance(c.k, "Y", x, axes, keep);
      default -> ReductionOps.std(c.k, "Y", x, axes, keep);
    };
  }

  private static void scans(CaseList list) {
    for (boolean exclusive : new boolean[] {false, true}) {
      String kind = exclusive ? "_exclusive" : "";
      list.add(
          "cumsum" + kind,
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 3, 0), c.dim("m", 17, 1, 33));
            return c.library("cumsum", "X, 1, " + exclusive + ", Y")
                .build(ScanOps.cumsum(c.k, "Y", x, 1, t, exclusive));
          });
      list.add(
          "cumprod" + kind,
          CaseList.NUMBERS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, new Fill.Given(1, 2, 1, 1, 3), c.dim("n", 3, 0), imm(2));
            return c.library("cumprod", "X, null, " + exclusive + ", Y")
                .build(ScanOps.cumprod(c.k, "Y", x, null, t, exclusive));
          });
    }
    list.add(
        "multinomial_from_uniform",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr b = c.dim("b", 3, 1);
          TensorExpr p = c.input("P", t, new Fill.Given(0.25, 0.5, 0.125, 0.125), b, imm(4));
          PrimExpr n = c.dim("n", 7, 0, 17);
          TensorExpr u = c.input("U", t, new Fill.Reals(0, 1), n, imm(1));
          TensorExpr rows = c.input("R", DType.INT64, new Fill.Indices(b, false), n, imm(1));
          return c.exact().build(ScanOps.multinomialFromUniform(c.k, "Y", p, u, rows, DType.INT64));
        });
  }
}
