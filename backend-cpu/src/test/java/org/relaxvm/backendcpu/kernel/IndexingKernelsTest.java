package org.relaxvm.backendcpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class IndexingKernelsTest {
  private static Tensor floats(long... dims) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(dims));
  }

  private static Tensor row(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static Tensor indices(long... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static void refuses(String message, String name, @Nullable Object... args) {
    assertThatThrownBy(() -> Kernels.call(name, args))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
  }

  @Test
  void eachModeHasItsOwnMeaningOfAnIndexOutOfRange() {
    Tensor x = row(10, 11, 12);
    Tensor wild = indices(-4, -1, 0, 2, 3, Long.MAX_VALUE, Long.MIN_VALUE);
    Tensor out = floats(7);
    Kernels.call("take", x, wild, 0, "wrap", out);
    assertThat(out.toFloatArray()).containsExactly(12, 12, 10, 12, 10, 11, 11);
    Kernels.call("take", x, wild, 0, "clip", out);
    assertThat(out.toFloatArray()).containsExactly(10, 10, 10, 12, 12, 12, 10);
    Kernels.call("take", x, wild, 0, "nan", out);
    float nan = Float.NaN;
    assertThat(out.toFloatArray()).containsExactly(nan, nan, 10, 12, nan, nan, nan);
    Tensor three = floats(3);
    Kernels.call("take", x, indices(-1, -3, 1), 0, "fast", three);
    assertThat(three.toFloatArray()).containsExactly(12, 10, 11);
  }

  @Test
  void anIndexOutOfRangeIsNamedAndNothingIsWritten() {
    Tensor out = floats(2, 3);
    String where = " along axis 0 of [4, 3] but is ";
    refuses(
        "relaxvm.take: argument #1 'indices' must be indices from -4 to 3" + where + "4 at [1]",
        "take",
        floats(4, 3),
        indices(0, 4),
        0,
        "fast",
        out);
    refuses(
        "relaxvm.take: argument #1 'indices' must be indices from -4 to 3" + where + "-5 at [0]",
        "take",
        floats(4, 3),
        indices(-5, 4),
        0,
        "fast",
        out);
    Tensor updates = Tensor.of(new float[] {1, 1}, Shape.of(1, 2));
    Tensor same = Tensor.of(new float[] {5, 5, 5, 5}, Shape.of(2, 2));
    refuses(
        "relaxvm.scatter_elements: argument #1 'indices' must be indices from -2 to 1 along axis 1"
            + " of [2, 2] but is 9 at [0, 1]",
        "scatter_elements",
        floats(2, 2),
        Tensor.of(new long[] {0, 9}, Shape.of(1, 2)),
        updates,
        1,
        "update",
        same);
    assertThat(same.toFloatArray()).containsOnly(5);
    refuses(
        "relaxvm.gather_nd: argument #1 'indices' must be indices from -3 to 2 along axis 2 of"
            + " [2, 2, 3] but is 3 at [1, 1]",
        "gather_nd",
        floats(2, 2, 3),
        Tensor.of(new int[] {1, 2, -2, 3}, Shape.of(2, 2)),
        1,
        floats(2));
    refuses(
        "relaxvm.take: argument #1 'indices' must be empty, as 'x' is along axis 0 of [0] but is 0"
            + " at [0]",
        "take",
        floats(0),
        indices(0),
        0,
        "clip",
        floats(1));
  }

  @Test
  void updatesOfOneElementHappenInOrder() {
    assertThat(scattered("update")).containsExactly(1, 7, 3);
    assertThat(scattered("add")).containsExactly(1, 2 + 4 + 7, 3);
    assertThat(scattered("mul")).containsExactly(1, 2 * 4 * 7, 3);
    assertThat(scattered("mean")).containsExactly(1, 5, 3);
    assertThat(scattered("max")).containsExactly(1, 7, 3);
    assertThat(scattered("min")).containsExactly(1, 2, 3);
  }

  private static float[] scattered(String reduction) {
    Tensor out = floats(3);
    Kernels.call("scatter_elements", row(1, 2, 3), indices(1, -2), row(4, 7), 0, reduction, out);
    return out.toFloatArray();
  }

  @Test
  void scatterNdReplacesWholeSlices() {
    Tensor x = Tensor.of(new float[] {0, 1, 2, 3, 4, 5}, Shape.of(3, 2));
    Tensor rows = Tensor.of(new int[] {2, 0}, Shape.of(2, 1));
    Tensor updates = Tensor.of(new float[] {20, 21, 10, 11}, Shape.of(2, 2));
    Tensor out = floats(3, 2);
    Kernels.call("scatter_nd", x, rows, updates, "update", out);
    assertThat(out.toFloatArray()).containsExactly(10, 11, 2, 3, 20, 21);
    Tensor integers = Tensor.of(new byte[] {100, -100}, DType.INT8, Shape.of(2));
    Tensor sums = Tensor.zeros(DType.INT8, Shape.of(2));
    Tensor places = Tensor.of(new int[] {0, 1}, Shape.of(2, 1));
    Kernels.call("scatter_nd", integers, places, integers, "mean", sums);
    // The sums wrap around to -56 and 56.
    assertThat(sums.toDoubleArray()).containsExactly(-28, 28);
  }

  @Test
  void rowsOfAnEmbeddingAreTakenFromATransposedTable() {
    Tensor table = Tensor.of(new float[] {0, 1, 2, 3, 4, 5}, Shape.of(2, 3)).permute(1, 0);
    Tensor out = floats(2, 2, 2);
    Kernels.call("take", table, Tensor.of(new int[] {2, 0, 1, 2}, Shape.of(2, 2)), 0, "fast", out);
    assertThat(out.toFloatArray()).containsExactly(2, 5, 0, 3, 1, 4, 2, 5);
  }

  @Test
  void argumentsThatDoNotFitAreRefused() {
    refuses(
        "relaxvm.take: argument #3 'mode' must be 'fast', 'wrap', 'clip' or 'nan' but is 'raise'",
        "take",
        floats(3),
        indices(0),
        0,
        "raise",
        floats(1));
    Tensor ints = Tensor.zeros(DType.INT32, Shape.of(3));
    refuses(
        "relaxvm.take: argument #3 'mode' must be 'fast', 'wrap' or 'clip' for int32 but is 'nan'",
        "take",
        ints,
        ints,
        0,
        "nan",
        ints);
    refuses(
        "relaxvm.take: argument #4 'out' must be shape [2, 1] but is shape [2]",
        "take",
        floats(2, 3),
        indices(0),
        1,
        "fast",
        floats(2));
    refuses(
        "relaxvm.gather_elements: argument #1 'indices' must be a shape within [2, 3] but for axis"
            + " 1 but is shape [3]",
        "gather_elements",
        floats(2, 3),
        indices(0, 0, 0),
        1,
        floats(3));
    refuses(
        "relaxvm.gather_nd: argument #2 'batch_dims' must be a number of leading axes that [2, 3]"
            + " and [3, 1] share but is 1",
        "gather_nd",
        floats(2, 3),
        Tensor.zeros(DType.INT64, Shape.of(3, 1)),
        1,
        floats(3));
    refuses(
        "relaxvm.gather_nd: argument #1 'indices' must be lines of at most 2 indices for [2, 3] but"
            + " is shape [1, 3]",
        "gather_nd",
        floats(2, 3),
        Tensor.zeros(DType.INT64, Shape.of(1, 3)),
        0,
        floats(1));
    refuses(
        "relaxvm.scatter_nd: argument #2 'updates' must be shape [1, 3] but is shape [3]",
        "scatter_nd",
        floats(2, 3),
        Tensor.zeros(DType.INT64, Shape.of(1, 1)),
        floats(3),
        "update",
        floats(2, 3));
    refuses(
        "relaxvm.scatter_nd: argument #3 'reduction' must be 'update', 'add', 'mul', 'mean', 'max'"
            + " or 'min' but is 'sum'",
        "scatter_nd",
        floats(2, 3),
        Tensor.zeros(DType.INT64, Shape.of(1, 1)),
        floats(1, 3),
        "sum",
        floats(2, 3));
    Tensor bools = Tensor.zeros(DType.BOOL, Shape.of(1));
    refuses(
        "relaxvm.scatter_elements: argument #4 'reduction' must be 'update' for bool but is 'add'",
        "scatter_elements",
        bools,
        indices(0),
        bools,
        0,
        "add",
        bools);
    refuses(
        "relaxvm.one_hot: argument #4 'out' must be shape [2] with the depth at axis 1 but is shape"
            + " [3, 2]",
        "one_hot",
        indices(0, 1),
        1,
        0,
        -1,
        floats(3, 2));
  }
}
