package org.relaxvm.backendtestkit.corpus;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ConvAttrs;
import org.relaxvm.tir.op.ConvOps;
import org.relaxvm.tir.op.DeterminantOps;
import org.relaxvm.tir.op.DropoutOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.NormOps;
import org.relaxvm.tir.op.PoolAttrs;
import org.relaxvm.tir.op.PoolOps;
import org.relaxvm.tir.op.QuantizeOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.op.image.ResizeAttrs;
import org.relaxvm.tir.op.image.ResizeOps;
import org.relaxvm.tir.te.TensorExpr;

/** Operators of neural networks. */
final class NeuralCases {
  private static final String ORDER =
      "the order of summation is not specified, and functions differ in their last bits";
  private static final Fill SMALL = new Fill.Numbers(0, 3);

  private NeuralCases() {}

  static void addTo(CaseList list) {
    matmuls(list);
    determinants(list);
    ellipses(list);
    convolutions(list);
    pools(list);
    softmax(list);
    norms(list);
    dropout(list);
    resize(list);
    quantize(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static void matmuls(CaseList list) {
    list.add(
        "matmul",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr k = c.dim("k", 5, 3, 0, 33);
          TensorExpr a = c.input("A", t, SMALL, c.dim("m", 3, 17, 1), k);
          TensorExpr b = c.input("B", t, SMALL, k, c.dim("n", 4, 3, 1));
          return c.build(LinearOps.matmul(c.k, "C", a, b, null));
        });
    list.add(
        "matmul_batched",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr k = c.dim("k", 3, 5);
          TensorExpr a = c.input("A", t, SMALL, c.dim("b", 2, 0, 3), imm(1), imm(3), k);
          TensorExpr b = c.input("B", t, SMALL, imm(2), k, imm(4));
          return c.build(LinearOps.matmul(c.k, "C", a, b, null));
        });
    list.add(
        "matmul_vectors",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr k = c.dim("k", 5, 0, 17);
          TensorExpr a = c.input("A", t, SMALL, k);
          return c.build(LinearOps.matmul(c.k, "C", a, c.input("B", t, SMALL, k), null));
        });
    list.add(
        "matmul_to_int32",
        List.of(DType.INT8, DType.UINT8),
        (c, t) -> {
          PrimExpr k = c.dim("k", 5, 0, 17);
          TensorExpr a = c.input("A", t, new Fill.Numbers(0, 120), imm(3), k);
          TensorExpr b = c.input("B", t, new Fill.Numbers(0, 120), k, imm(2));
          return c.library("matmul_integer", "A, B, false, false, C")
              .build(LinearOps.matmul(c.k, "C", a, b, DType.INT32));
        });
    list.add(
        "linear",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr k = c.dim("k", 5, 17);
          TensorExpr x = c.input("X", t, SMALL, c.dim("m", 3, 0), k);
          TensorExpr w = c.input("W", t, SMALL, imm(4), k);
          return c.library("matmul", "X, W, B, false, true, 'none', C")
              .build(LinearOps.linear(c.k, "C", x, w, c.input("B", t, SMALL, imm(4))));
        });
    list.add(
        "outer",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr a = c.input("A", t, SMALL, c.dim("m", 3, 0, 17));
          TensorExpr b = c.input("B", t, SMALL, c.dim("n", 5, 33));
          return c.build(LinearOps.outer(c.k, "C", a, b));
        });
    for (String subscripts :
        List.of("bij,bjk->bik", "ij,kj->ik", "ii->i", "ij->", "bi,bj,bk->ijk")) {
      list.add(
          "einsum_" + subscripts.replaceAll("[^a-z]+", "_").replaceAll("_$", ""),
          CaseList.NUMBERS,
          (c, t) -> {
            List<String> parts = List.of(subscripts.split("->", -1)[0].split(",", -1));
            PrimExpr n = c.dim("n", 3, 2, 5);
            TensorExpr[] operands = new TensorExpr[parts.size()];
            for (int i = 0; i < operands.length; i++) {
              PrimExpr[] shape = new PrimExpr[parts.get(i).length()];
              Arrays.fill(shape, n);
              operands[i] = c.input("X" + i, t, SMALL, shape);
            }
            return c.build(LinearOps.einsum(c.k, "C", List.of(operands), subscripts));
          });
    }
  }

  private static void determinants(CaseList list) {
    list.add(
        "determinant",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr n = c.dim("n", 3, 1, 4, 0);
          TensorExpr x = c.input("X", t, SMALL, c.dim("b", 2, 5, 1, 3), n, n);
          return c.tolerance(1e-5, 1, ORDER).build(DeterminantOps.determinant(c.k, "Y", x));
        });
    list.add(
        "determinant_of_zeros_on_the_diagonal",
        CaseList.FLOATS,
        (c, t) -> {
          Fill values = new Fill.Given(0, 2, 1, 1, 0, 0, 0, 3, 0);
          return c.build(
              DeterminantOps.determinant(c.k, "Y", c.input("X", t, values, imm(3), imm(3))));
        });
  }

  private static void ellipses(CaseList list) {
    list.add(
        "einsum_ellipsis",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr k = c.dim("k", 3, 5, 17, 1);
          TensorExpr a = c.input("A", t, SMALL, c.dim("b", 2, 0, 1), imm(1), imm(3), k);
          TensorExpr b = c.input("B", t, SMALL, imm(2), k, c.dim("n", 4, 1, 3));
          return c.build(LinearOps.einsum(c.k, "C", List.of(a, b), "...ij,...jk->...ik"));
        });
    list.add(
        "einsum_ellipsis_inside",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr n = c.dim("n", 5, 1, 17, 0);
          PrimExpr m = c.dim("m", 3, 7, 1);
          TensorExpr a = c.input("A", t, SMALL, n, m, imm(2), imm(3));
          TensorExpr b = c.input("B", t, SMALL, m, imm(1), n);
          return c.build(LinearOps.einsum(c.k, "C", List.of(a, b), "i...j,...i->j..."));
        });
    list.add(
        "einsum_ellipsis_implicit",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr n = c.dim("n", 3, 5, 0, 1);
          TensorExpr a = c.input("A", t, SMALL, c.dim("m", 7, 1, 17), n, imm(2));
          return c.build(
              LinearOps.einsum(c.k, "C", List.of(a, c.input("B", t, SMALL, n)), "...ba,b"));
        });
    list.add(
        "einsum_ellipsis_of_nothing",
        CaseList.NUMBERS,
        (c, t) -> {
          PrimExpr n = c.dim("n", 3, 5, 0, 1);
          TensorExpr a = c.input("A", t, SMALL, n, n);
          TensorExpr b = c.input("B", t, SMALL, imm(2), n);
          return c.build(LinearOps.einsum(c.k, "C", List.of(a, b), "ii...,...i->..."));
        });
  }

  private static void dropout(CaseList list) {
    list.add(
        "dropout",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1, 17), c.dim("m", 5, 1, 33));
          return c.exact().build(DropoutOps.dropout(c.k, "Y", x).toArray(TensorExpr[]::new));
        });
  }

  private static void convolutions(CaseList list) {
    list.add(
        "conv2d",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x =
              c.input("X", t, SMALL, c.dim("n", 2, 0), imm(4), c.dim("h", 7, 5), c.dim("w", 5));
          TensorExpr w = c.input("W", t, SMALL, imm(6), imm(2), imm(3), imm(2));
          ConvAttrs attrs =
              ConvAttrs.plain(2).with(List.of(2L, 1L), List.of(1L, 0L, 2L, 1L), List.of(1L, 2L), 2);
          return c.build(ConvOps.conv(c.k, "Y", x, w, attrs));
        });
    list.add(
        "conv2d_depthwise",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, SMALL, imm(1), imm(3), c.dim("h", 5, 4), imm(4));
          TensorExpr w = c.input("W", t, SMALL, imm(3), imm(1), imm(3), imm(3));
          ConvAttrs attrs =
              ConvAttrs.plain(2).with(List.of(1L, 1L), List.of(1L), List.of(1L, 1L), 3);
          return c.build(ConvOps.conv(c.k, "Y", x, w, attrs));
        });
    list.add(
        "conv2d_nhwc",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, SMALL, imm(1), c.dim("h", 5, 4), imm(4), imm(3));
          TensorExpr w = c.input("W", t, SMALL, imm(3), imm(2), imm(3), imm(2));
          ConvAttrs attrs = ConvAttrs.plain(2).withLayouts("NHWC", "HWIO");
          return c.build(ConvOps.conv(c.k, "Y", x, w, attrs));
        });
    for (int spatial : List.of(1, 3)) {
      list.add(
          "conv" + spatial + "d",
          CaseList.NUMBERS,
          (c, t) -> {
            PrimExpr h = c.dim("h", 5, 4);
            TensorExpr x =
                spatial == 1
                    ? c.input("X", t, SMALL, imm(2), imm(2), h)
                    : c.input("X", t, SMALL, imm(1), imm(2), h, imm(3), imm(3));
            TensorExpr w =
                spatial == 1
                    ? c.input("W", t, SMALL, imm(3), imm(2), imm(3))
                    : c.input("W", t, SMALL, imm(2), imm(2), imm(2), imm(2), imm(3));
            List<Long> ones = Collections.nCopies(spatial, 1L);
            ConvAttrs attrs = ConvAttrs.plain(spatial).with(ones, List.of(1L), ones, 1);
            return c.build(ConvOps.conv(c.k, "Y", x, w, attrs));
          });
    }
    list.add(
        "conv2d_transpose",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, SMALL, c.dim("n", 2, 0), imm(4), c.dim("h", 4, 3), imm(3));
          TensorExpr w = c.input("W", t, SMALL, imm(4), imm(3), imm(3), imm(2));
          ConvAttrs attrs =
              ConvAttrs.plain(2)
                  .withLayouts("NCHW", "IOHW")
                  .with(List.of(2L, 3L), List.of(1L, 0L, 0L, 1L), List.of(1L, 2L), 2)
                  .withOutputPadding(List.of(1L, 0L));
          return c.library(
                  "conv2d_transpose", "X, W, null, [2;3], [1;0;0;1], [1;0], [1;2], 2, 'none', Y")
              .build(ConvOps.convTranspose(c.k, "Y", x, w, attrs));
        });
  }

  private static void pools(CaseList list) {
    for (boolean ceil : new boolean[] {false, true}) {
      PoolAttrs attrs =
          PoolAttrs.of(List.of(3L, 2L))
              .with(List.of(2L, 2L), List.of(1L, 0L, 1L, 1L), List.of(1L, 2L))
              .withOutside(ceil, false);
      String args = "X, [3;2], [2;2], [1;0;1;1], [1;2], " + ceil;
      String kind = ceil ? "_ceil" : "";
      list.add(
          "max_pool2d" + kind,
          CaseList.NUMBERS,
          (c, t) ->
              c.exact()
                  .library("max_pool2d", args + ", Y")
                  .build(PoolOps.maxPool(c.k, "Y", image(c, t), attrs)));
      list.add(
          "avg_pool2d" + kind,
          CaseList.FLOATS,
          (c, t) ->
              c.library("avg_pool2d", args + ", false, Y")
                  .build(PoolOps.avgPool(c.k, "Y", image(c, t), attrs)));
    }
    PoolAttrs whole =
        PoolAttrs.of(List.of(3L, 2L))
            .with(List.of(2L, 2L), List.of(1L, 0L, 1L, 1L), List.of(1L, 1L))
            .withOutside(false, true);
    list.add(
        "avg_pool2d_with_pad",
        CaseList.FLOATS,
        (c, t) ->
            c.library("avg_pool2d", "X, [3;2], [2;2], [1;0;1;1], [1;1], false, true, Y")
                .build(PoolOps.avgPool(c.k, "Y", image(c, t), whole)));
    list.add(
        "max_pool1d",
        CaseList.NUMBERS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(2), imm(3), c.dim("w", 9, 5));
          return c.exact().build(PoolOps.maxPool(c.k, "Y", x, PoolAttrs.of(List.of(2L))));
        });
    list.add(
        "avg_pool3d",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), imm(2), c.dim("d", 4, 5), imm(4), imm(2));
          return c.build(PoolOps.avgPool(c.k, "Y", x, PoolAttrs.of(List.of(2L, 2L, 2L))));
        });
    list.add(
        "max_pool2d_nhwc",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), c.dim("h", 6, 5), imm(4), imm(3));
          PoolAttrs attrs = PoolAttrs.of(List.of(2L, 2L)).withLayout("NHWC");
          return c.exact().build(PoolOps.maxPool(c.k, "Y", x, attrs));
        });
    list.add(
        "adaptive_avg_pool2d",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(2), imm(2), c.dim("h", 7, 3), c.dim("w", 5, 6));
          return c.build(PoolOps.adaptiveAvgPool(c.k, "Y", x, List.of(imm(3), imm(2)), "NCHW"));
        });
  }

  private static TensorExpr image(CaseBuilder c, DType t) {
    return c.input("X", t, c.dim("n", 2, 0), imm(2), c.dim("h", 7, 4), c.dim("w", 6, 5));
  }

  private static void softmax(CaseList list) {
    for (int axis : List.of(-1, 0)) {
      String kind = axis == 0 ? "_first" : "";
      list.add(
          "softmax" + kind,
          CaseList.FLOATS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1), c.dim("m", 17, 1, 33));
            return c.tolerance(1e-5, 1e-3, ORDER)
                .library("softmax", "X, " + axis + ", Y")
                .build(SoftmaxOps.softmax(c.k, "Y", x, axis));
          });
      list.add(
          "log_softmax" + kind,
          CaseList.FLOATS,
          (c, t) -> {
            TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1), c.dim("m", 17, 1, 33));
            return c.tolerance(1e-5, 1, ORDER)
                .library("log_softmax", "X, " + axis + ", Y")
                .build(SoftmaxOps.logSoftmax(c.k, "Y", x, axis));
          });
    }
    list.add(
        "cross_entropy",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr n = c.dim("n", 3, 1, 7);
          TensorExpr x = c.input("X", t, n, imm(5));
          return c.build(
              SoftmaxOps.crossEntropyWithLogits(c.k, "Y", x, c.input("L", t, SMALL, n, imm(5))));
        });
    for (SoftmaxOps.Reduction reduction : SoftmaxOps.Reduction.values()) {
      list.add(
          "nll_loss_" + reduction.name().toLowerCase(Locale.ROOT),
          CaseList.FLOATS,
          (c, t) -> {
            PrimExpr n = c.dim("n", 5, 3, 7);
            TensorExpr x = c.input("X", t, n, imm(4));
            TensorExpr target = c.input("T", DType.INT64, new Fill.Given(0, 3, -100, 2), n);
            TensorExpr w = c.input("W", t, new Fill.Given(1, 0.5, 2, 1), imm(4));
            return c.build(SoftmaxOps.nllLoss(c.k, "Y", x, target, w, reduction, -100));
          });
    }
  }

  private static void norms(CaseList list) {
    list.add(
        "layer_norm",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr m = c.dim("m", 17, 3, 33);
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1), m);
          TensorExpr gamma = c.input("G", t, m);
          return c.tolerance(1e-5, 1, ORDER)
              .library("layer_norm", "X, G, B, [1], 1e-5, Y")
              .build(NormOps.layerNorm(c.k, "Y", x, gamma, c.input("B", t, m), List.of(-1), 1e-5));
        });
    list.add(
        "rms_norm",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr m = c.dim("m", 17, 3, 33);
          TensorExpr x = c.input("X", t, c.dim("n", 3, 0, 1), m);
          return c.tolerance(1e-5, 1, ORDER)
              .library("rms_norm", "X, W, [1], 1e-5, Y")
              .build(NormOps.rmsNorm(c.k, "Y", x, c.input("W", t, m), List.of(1), 1e-5));
        });
    list.add(
        "group_norm",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 2, 0), imm(6), c.dim("w", 5, 3));
          TensorExpr gamma = c.input("G", t, imm(6));
          return c.tolerance(1e-5, 1, ORDER)
              .library("group_norm", "X, G, B, 3, 1, [2], 1e-5, Y")
              .build(
                  NormOps.groupNorm(
                      c.k, "Y", x, gamma, c.input("B", t, imm(6)), 3, 1, List.of(2), 1e-5));
        });
    list.add(
        "instance_norm",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 2, 0), imm(3), c.dim("w", 5, 3));
          TensorExpr gamma = c.input("G", t, imm(3));
          return c.tolerance(1e-5, 1, ORDER)
              .library("group_norm", "X, G, B, 3, 1, [2], 1e-5, Y")
              .build(
                  NormOps.instanceNorm(
                      c.k, "Y", x, gamma, c.input("B", t, imm(3)), 1, List.of(2), 1e-5));
        });
    Fill positive = new Fill.Numbers(1, 4);
    list.add(
        "batch_norm",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr n = c.dim("c", 3, 1, 5);
          TensorExpr x = c.input("X", t, c.dim("n", 2, 0), n, c.dim("w", 5));
          TensorExpr[] p = new TensorExpr[4];
          for (int i = 0; i < 4; i++) {
            p[i] = c.input("P" + i, t, positive, n);
          }
          return c.tolerance(1e-5, 1, ORDER)
              .library("batch_norm", "X, P0, P1, P2, P3, 1, 1e-5, Y")
              .build(NormOps.batchNorm(c.k, "Y", x, p[0], p[1], p[2], p[3], 1, 1e-5));
        });
    list.add(
        "batch_norm_training",
        CaseList.FLOATS,
        (c, t) -> {
          PrimExpr n = c.dim("c", 3, 1, 5);
          TensorExpr x = c.input("X", t, c.dim("n", 4, 3), n, c.dim("w", 5));
          TensorExpr[] p = new TensorExpr[4];
          for (int i = 0; i < 4; i++) {
            p[i] = c.input("P" + i, t, positive, n);
          }
          return c.tolerance(1e-5, 1, ORDER)
              .build(
                  NormOps.batchNormTraining(c.k, "Y", x, p[0], p[1], p[2], p[3], 1, 1e-5, 0.125)
                      .toArray(TensorExpr[]::new));
        });
  }

  /**
   * Element types and coordinates do not depend on each other: one of each has all of the other.
   */
  private static void resize(CaseList list) {
    List<ResizeAttrs.Coordinates> all = List.of(ResizeAttrs.Coordinates.values());
    for (ResizeAttrs.Method method : ResizeAttrs.Method.values()) {
      for (ResizeAttrs.Coordinates coordinates : all) {
        String name = (method + "_" + coordinates).toLowerCase(Locale.ROOT);
        list.add(
            "resize2d_" + name,
            coordinates == ResizeAttrs.Coordinates.HALF_PIXEL
                ? CaseList.FLOATS
                : List.of(DType.FLOAT32),
            (c, t) -> {
              TensorExpr x =
                  c.input("X", t, c.dim("n", 1), imm(2), c.dim("h", 4, 3), c.dim("w", 5, 4));
              ResizeAttrs attrs =
                  ResizeAttrs.of("NCHW", method, coordinates)
                      .withRounding(ResizeAttrs.Rounding.ROUND_PREFER_FLOOR)
                      .withCrop(List.of(0.0, 0.25, 1.0, 1.25), -1);
              return c.tolerance(1e-5, 1, "coordinates and weights are rounded")
                  .build(ResizeOps.resize(c.k, "Y", x, List.of(imm(8), imm(3)), attrs));
            });
      }
    }
    for (ResizeAttrs.Rounding rounding : ResizeAttrs.Rounding.values()) {
      list.add(
          "resize1d_" + rounding.name().toLowerCase(Locale.ROOT),
          rounding == ResizeAttrs.Rounding.ROUND
              ? CaseList.NUMBERS
              : List.of(DType.FLOAT32, DType.UINT8),
          (c, t) -> {
            TensorExpr x = c.input("X", t, imm(1), imm(2), c.dim("w", 4, 2));
            ResizeAttrs attrs =
                ResizeAttrs.of(
                        "NCW",
                        ResizeAttrs.Method.NEAREST_NEIGHBOR,
                        ResizeAttrs.Coordinates.HALF_PIXEL)
                    .withRounding(rounding);
            return c.exact().build(ResizeOps.resize(c.k, "Y", x, List.of(imm(8)), attrs));
          });
    }
    list.add(
        "resize1d_cubic_exclude",
        CaseList.FLOATS,
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), imm(1), c.dim("w", 5, 3));
          ResizeAttrs attrs =
              ResizeAttrs.of("NCW", ResizeAttrs.Method.CUBIC, ResizeAttrs.Coordinates.HALF_PIXEL)
                  .withCubic(-0.5, true);
          return c.tolerance(1e-5, 1, "coordinates and weights are rounded")
              .build(ResizeOps.resize(c.k, "Y", x, List.of(imm(7)), attrs));
        });
  }

  private static void quantize(CaseList list) {
    for (DType to : List.of(DType.INT8, DType.UINT8, DType.INT16, DType.INT32)) {
      list.add(
          "quantize_to_" + to,
          CaseList.FLOATS,
          (c, t) -> {
            PrimExpr m = c.dim("m", 3, 1, 5);
            TensorExpr x = c.input("X", t, new Fill.Numbers(-200, 200), c.dim("n", 17, 0), m);
            TensorExpr scale = c.input("S", t, new Fill.Given(0.5, 1, 0.25), m);
            TensorExpr zero = c.input("Z", to, new Fill.Given(0, 3, 10), m);
            return c.exact().build(QuantizeOps.quantize(c.k, "Y", x, scale, zero, 1, to));
          });
      list.add(
          "dequantize_from_" + to,
          CaseList.FLOATS,
          (c, t) -> {
            TensorExpr x = c.input("X", to, new Fill.Numbers(0, 120), c.dim("n", 17, 0));
            TensorExpr scale = c.input("S", t, new Fill.Given(0.5));
            TensorExpr zero = c.input("Z", to, new Fill.Given(3));
            return c.build(QuantizeOps.dequantize(c.k, "Y", x, scale, zero, 0, t));
          });
    }
  }
}
