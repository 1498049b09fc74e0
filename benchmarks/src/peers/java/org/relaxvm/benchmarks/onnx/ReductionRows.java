package org.relaxvm.benchmarks.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Reductions, searches and scans of matrices of 512 rows and 1024 columns, and of images. */
final class ReductionRows {
  private static final long[] MATRIX = {512, 1024};
  private static final long[] IMAGE = {8, 512, 7, 7};

  private ReductionRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (String name : List.of("Sum", "Max", "Mean", "Min", "Prod")) {
      rows.add(reduction(name, "over the last axis", Shape.of(1), 512));
      rows.add(reduction(name, "over the first axis", Shape.of(0), 1024));
      rows.add(reduction(name, "over all", null));
    }
    for (String name : List.of("ArgMax", "ArgMin")) {
      rows.add(extreme(name, "last", 1, 512));
      rows.add(extreme(name, "first", 0, 1024));
    }
    rows.add(cumulative("last", 1));
    rows.add(cumulative("first", 0));
    rows.add(pooling());
    return rows;
  }

  private static Row extreme(String name, String how, int axis, long count) {
    String kernel = name.toLowerCase(Locale.ROOT);
    Tensor x = Row.random(1, MATRIX);
    Tensor out = Tensor.zeros(DType.INT64, Shape.of(count));
    OnnxModel model =
        OnnxModel.of(name).input("x", MATRIX).attribute("keepdims", 0).attribute("axis", axis);
    Object[] args = {x, axis, false, out};
    String title = kernel + " along the " + how + " axis [512, 1024]";
    return new Row(title, kernel, model, List.of(x), out, args, 0);
  }

  private static Row cumulative(String how, int axis) {
    Tensor x = positive(MATRIX);
    Tensor out = Row.zeros(MATRIX);
    OnnxModel model = OnnxModel.of("CumSum").input("x", MATRIX).indices("axis", axis);
    Object[] args = {x, axis, false, out};
    String title = "cumsum along the " + how + " axis [512, 1024]";
    return new Row(title, "cumsum", model, List.of(x), out, args, 1e-4);
  }

  /** Global average pooling. */
  private static Row pooling() {
    Tensor x = positive(IMAGE);
    Tensor out = Row.zeros(IMAGE[0], IMAGE[1], 1, 1);
    OnnxModel model = OnnxModel.of("GlobalAveragePool").input("x", IMAGE);
    Object[] args = {x, Shape.of(2, 3), true, out};
    String title = "reduction mean over images [8, 512, 7, 7]";
    return new Row(title, "mean", model, List.of(x), out, args, 1e-5);
  }

  /** All of one sign, so that sums are not small differences. */
  private static Tensor positive(long... dims) {
    float[] values = Row.random(1, dims).toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.abs(values[i]);
    }
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(dims));
    Tensor.of(values, x.shape()).copyInto(x);
    return x;
  }

  private static Row reduction(String name, String how, @Nullable Shape axes, long... outDims) {
    String kernel = name.toLowerCase(Locale.ROOT);
    Tensor x = positive(MATRIX);
    Tensor out = Row.zeros(outDims);
    OnnxModel model = OnnxModel.of("Reduce" + name).input("x", MATRIX).attribute("keepdims", 0);
    if (axes != null) {
      model.indices("axes", axes.toArray());
    }
    Object[] args = {x, axes, false, out};
    String title = "reduction " + kernel + " " + how + " [512, 1024]";
    return new Row(title, kernel, model, List.of(x), out, args, 1e-4);
  }
}
