package org.relaxvm.benchmarks.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Reductions of matrices of 512 rows and 1024 columns. */
final class ReductionRows {
  private static final long[] MATRIX = {512, 1024};

  private ReductionRows() {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (String name : List.of("Sum", "Max", "Mean")) {
      rows.add(reduction(name, "over the last axis", Shape.of(1), 512));
      rows.add(reduction(name, "over the first axis", Shape.of(0), 1024));
      rows.add(reduction(name, "over all", null));
    }
    return rows;
  }

  private static Row reduction(String name, String how, @Nullable Shape axes, long... outDims) {
    String kernel = name.toLowerCase(Locale.ROOT);
    // All of one sign, so that sums are not small differences.
    Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(MATRIX));
    float[] values = Row.random(1, MATRIX).toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.abs(values[i]);
    }
    Tensor.of(values, x.shape()).copyInto(x);
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
