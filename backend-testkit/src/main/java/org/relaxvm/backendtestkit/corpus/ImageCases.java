package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.PatchOps;
import org.relaxvm.tir.op.image.RegionAttrs;
import org.relaxvm.tir.op.image.RegionOps;
import org.relaxvm.tir.op.image.ResampleAttrs;
import org.relaxvm.tir.op.image.ResampleOps;
import org.relaxvm.tir.op.image.ResizeAttrs.Coordinates;
import org.relaxvm.tir.op.image.ResizeAttrs.Method;
import org.relaxvm.tir.op.image.ResizeAttrs.Rounding;
import org.relaxvm.tir.op.image.SampleAttrs;
import org.relaxvm.tir.op.image.SampleOps;
import org.relaxvm.tir.te.TensorExpr;

/** Operators on images: other sizes, coordinates in tensors, regions, patches. */
final class ImageCases {
  private static final String ROUNDED = "coordinates and weights are rounded";
  private static final List<DType> TYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.FLOAT64);

  private ImageCases() {}

  static void addTo(CaseList list) {
    resampling(list);
    widened(list);
    grids(list);
    regions(list);
    patches(list);
  }

  private static PrimExpr imm(long value) {
    return IntImm.of(value);
  }

  private static FloatImm real(double value) {
    return new FloatImm(DType.FLOAT32, value);
  }

  private static ResampleAttrs attrs(Method method, Coordinates coordinates, boolean excludes) {
    return new ResampleAttrs(
        method, coordinates, Rounding.ROUND_PREFER_FLOOR, -0.75, excludes, true, -1);
  }

  private static void resampling(CaseList list) {
    for (Method method : Method.values()) {
      for (Coordinates coordinates : Coordinates.values()) {
        list.add(
            "resample_" + (method + "_" + coordinates).toLowerCase(Locale.ROOT),
            coordinates == Coordinates.HALF_PIXEL ? TYPES : List.of(DType.FLOAT32),
            (c, t) -> {
              TensorExpr x = c.input("X", t, c.dim("h", 4, 3), imm(2), c.dim("w", 5, 4));
              TensorExpr scales = c.input("S", DType.FLOAT32, new Fill.Given(1.75), imm(1));
              List<ResampleOps.Axis> axes =
                  List.of(
                      new ResampleOps.Axis(0, imm(7), scales.at(imm(0)), real(0), real(1)),
                      new ResampleOps.Axis(2, imm(3), null, real(0.25), real(1.25)));
              return c.tolerance(1e-5, 1, ROUNDED)
                  .build(
                      ResampleOps.resample(
                          c.k, "Y", x, axes, attrs(method, coordinates, false), t));
            });
      }
    }
    list.add(
        "resample_moves",
        CaseList.ALL,
        (c, t) -> {
          TensorExpr x = c.input("X", t, c.dim("n", 3, 1, 17));
          ResampleAttrs twice =
              new ResampleAttrs(
                  Method.NEAREST_NEIGHBOR,
                  Coordinates.ASYMMETRIC,
                  Rounding.FLOOR,
                  0,
                  false,
                  false,
                  0);
          ResampleOps.Axis axis = new ResampleOps.Axis(0, imm(6), real(2), real(0), real(0));
          return c.exact().build(ResampleOps.resample(c.k, "Y", x, List.of(axis), twice, t));
        });
  }

  private static void widened(CaseList list) {
    for (Method method : List.of(Method.LINEAR, Method.CUBIC)) {
      for (boolean excludes : new boolean[] {false, true}) {
        list.add(
            "resample_widened_"
                + method.name().toLowerCase(Locale.ROOT)
                + (excludes ? "_exclude" : ""),
            TYPES,
            (c, t) -> {
              TensorExpr x = c.input("X", t, imm(2), c.dim("w", 9, 4, 17), imm(3));
              ResampleOps.Axis axis =
                  new ResampleOps.Axis(1, c.scalarDim("m", 4, 7, 3), null, real(0), real(0));
              return c.tolerance(1e-5, 1, ROUNDED)
                  .build(
                      ResampleOps.widened(
                          c.k, "Y", x, axis, attrs(method, Coordinates.HALF_PIXEL, excludes), t));
            });
      }
    }
  }

  private static void grids(CaseList list) {
    for (SampleAttrs.Method method : SampleAttrs.Method.values()) {
      for (SampleAttrs.Padding outside : SampleAttrs.Padding.values()) {
        for (boolean align : new boolean[] {false, true}) {
          boolean isLong =
              method == SampleAttrs.Method.BICUBIC && outside != SampleAttrs.Padding.ZEROS;
          // Each of these kernels is long; one of a pair has all that there is to test.
          if (isLong && !align) {
            continue;
          }
          SampleAttrs attrs =
              new SampleAttrs(
                  method, outside, align, align ? SampleAttrs.Order.PLAIN : SampleAttrs.Order.ONNX);
          String name =
              ("grid_sample_" + method + "_" + outside + (align ? "_align" : ""))
                  .toLowerCase(Locale.ROOT);
          list.add(
              name,
              List.of(DType.FLOAT32),
              (c, t) -> {
                PrimExpr n = c.dim("n", 2, 1);
                TensorExpr x = c.input("X", t, n, imm(2), c.dim("h", 4, 1), imm(3));
                TensorExpr grid =
                    c.input(
                        "G",
                        DType.FLOAT32,
                        new Fill.Given(-1.6, -0.9, -0.3, 0.15, 0.4, 0.85, 1.7, 5.2, -7.1),
                        n,
                        imm(2),
                        c.dim("p", 5, 0),
                        imm(3));
                return c.tolerance(1e-4, 1, ROUNDED)
                    .build(SampleOps.gridSample(c.k, "Y", x, grid, attrs));
              });
        }
      }
    }
    list.add(
        "grid_sample_volumes",
        List.of(DType.FLOAT32, DType.FLOAT16),
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), imm(2), imm(3), c.dim("h", 4, 2), imm(3));
          Fill places = new Fill.Given(-1.1, 0.3, 0.7, -0.2);
          TensorExpr grid =
              c.input("G", DType.FLOAT32, places, imm(1), imm(3), imm(2), imm(2), c.dim("p", 3, 0));
          SampleAttrs attrs =
              new SampleAttrs(SampleAttrs.Method.BILINEAR, SampleAttrs.Padding.ZEROS, true);
          return c.tolerance(1e-4, 1, ROUNDED)
              .build(SampleOps.gridSample(c.k, "Y", x, grid, attrs));
        });
  }

  private static void regions(CaseList list) {
    for (RegionAttrs.Mode mode : RegionAttrs.Mode.values()) {
      for (long samples : new long[] {0, 2}) {
        list.add(
            ("roi_align_" + mode + "_" + samples).toLowerCase(Locale.ROOT),
            List.of(DType.FLOAT32, DType.FLOAT16),
            (c, t) -> {
              TensorExpr x = c.input("X", t, imm(2), imm(2), c.dim("h", 5, 3), imm(4));
              Fill corners = new Fill.Given(1, 0.5, 0.25, 3.25, 4.5, 0, -2, 1, 1.5, 3);
              TensorExpr rois = c.input("R", t, corners, c.dim("r", 3, 0), imm(5));
              RegionAttrs attrs =
                  new RegionAttrs(
                      List.of(2L, 3L), 1, samples, mode == RegionAttrs.Mode.AVG, "NCHW", mode);
              return c.tolerance(1e-5, 1, ROUNDED)
                  .build(RegionOps.roiAlign(c.k, "Y", x, rois, attrs));
            });
      }
    }
    list.add(
        "roi_pool",
        List.of(DType.FLOAT32, DType.FLOAT16),
        (c, t) -> {
          TensorExpr x = c.input("X", t, imm(1), imm(2), c.dim("h", 5, 3), imm(4));
          Fill corners = new Fill.Given(0, 0, 1, 6, 4, 0, 4, 4, 14, 6, 0, 12, 12, 14, 14);
          TensorExpr rois = c.input("R", t, corners, c.dim("r", 3, 0), imm(5));
          return c.exact().build(RegionOps.roiPool(c.k, "Y", x, rois, 2, 2, 0.5));
        });
  }

  private static void patches(CaseList list) {
    list.add(
        "col2im",
        CaseList.NUMBERS,
        (c, t) -> {
          // Windows of 3 by 2 at strides of 2 and 1 on 5 by 4: 3 by 4 of them.
          TensorExpr x = c.input("X", t, c.dim("n", 2, 0), imm(2), imm(6), imm(12));
          PatchOps.Windows windows =
              new PatchOps.Windows(List.of(2L, 1L), List.of(1L, 0L, 1L, 1L), List.of(1L, 1L));
          return c.build(
              PatchOps.columnsToImage(
                  c.k, "Y", x, List.of(imm(5), imm(4)), List.of(imm(3), imm(2)), windows));
        });
  }
}
