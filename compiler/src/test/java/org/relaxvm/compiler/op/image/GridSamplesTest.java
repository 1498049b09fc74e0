package org.relaxvm.compiler.op.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.tir.op.image.SampleAttrs;
import org.relaxvm.tir.op.image.SampleAttrs.Method;
import org.relaxvm.tir.op.image.SampleAttrs.Padding;

class GridSamplesTest {
  private static final Tensor LINE = Tensor.of(new float[] {10, 20, 30, 40}, Shape.of(1, 1, 1, 4));

  private static Call call(RelaxVar data, RelaxVar grid, Attrs attrs) {
    return Call.of(GridSamples.GRID_SAMPLE, List.of(data, grid), attrs);
  }

  /** The values of a line of four elements at coordinates along it. */
  private static float[] sample(Method method, Padding padding, boolean alignCorners, float... x) {
    return sample(new SampleAttrs(method, padding, alignCorners), x);
  }

  private static float[] sample(SampleAttrs attrs, float... x) {
    float[] grid = new float[2 * x.length];
    System.arraycopy(x, 0, grid, 0, x.length);
    Call call =
        GridSamples.gridSample(floats("x", 1, 1, 1, 4), floats("g", 1, 2, 1, x.length), 2, attrs);
    Tensor places = Tensor.of(grid, Shape.of(1, 2, 1, x.length));
    return compute(call, LINE, places).getFirst().toFloatArray();
  }

  @Test
  void derivesTheType() {
    assertThat(
            textOf(
                call(
                    floats("x", symbol("n"), 3, 8, 9),
                    floats("g", symbol("n"), 2, 4, 5),
                    Attrs.NONE)))
        .isEqualTo("R.Tensor((n, 3, 4, 5), dtype=\"float32\")");
    assertThat(
            textOf(
                call(
                    floats("x", 1, 2, 3, 4, 5),
                    floats("g", 1, 3, 6, 7, 8),
                    Attrs.of("layout", "NCDHW"))))
        .isEqualTo("R.Tensor((1, 2, 6, 7, 8), dtype=\"float32\")");
    assertThat(textOf(call(unknown("x"), unknown("g"), Attrs.NONE))).isEqualTo("R.Tensor(ndim=4)");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    RelaxVar x = floats("x", 1, 3, 8, 9);
    RelaxVar g = floats("g", 1, 2, 4, 5);
    assertThat(messageOf(call(x, floats("g", 1, 3, 4, 5), Attrs.NONE)))
        .isEqualTo(
            "image.grid_sample: the extents of axis 1 of grid and the spatial axes must be equal,"
                + " but are 3 and 2");
    assertThat(messageOf(call(x, floats("g", 2, 2, 4, 5), Attrs.NONE)))
        .isEqualTo(
            "image.grid_sample: the extents of axis 0 of data and grid must be equal, but are 1"
                + " and 2");
    assertThat(messageOf(call(x, g, Attrs.of("layout", "NHWC"))))
        .isEqualTo("image.grid_sample: layout must be one of NCHW, NCDHW, but is \"NHWC\"");
    assertThat(messageOf(call(x, g, Attrs.of("method", "linear"))))
        .isEqualTo(
            "image.grid_sample: method must be one of nearest, bilinear, bicubic, but is"
                + " \"linear\"");
    assertThat(messageOf(call(x, g, Attrs.of("padding_mode", "edge"))))
        .isEqualTo(
            "image.grid_sample: padding_mode must be one of zeros, border, reflection, but is"
                + " \"edge\"");
    assertThat(
            messageOf(
                call(
                    floats("x", 1, 2, 3, 4, 5),
                    floats("g", 1, 3, 6, 7, 8),
                    Attrs.of("layout", "NCDHW").with("method", "bicubic"))))
        .isEqualTo(
            "image.grid_sample: method bicubic has the layout NCHW, but the layout is NCDHW");
  }

  @Test
  void cornersAreCentersOrEdges() {
    assertThat(sample(Method.BILINEAR, Padding.ZEROS, true, -1, 0, 1)).containsExactly(10, 25, 40);
    // In elements -0.5, 1.5 and 3.5; a half of the first and the last value is outside. The line
    // has one row, whose center is 0.
    assertThat(sample(Method.BILINEAR, Padding.ZEROS, false, -1, 0, 1)).containsExactly(5, 25, 20);
  }

  @Test
  void whatIsOutsideIsZeroOrTheBorderOrMirrored() {
    // In elements -1, 4, 5 and 8.
    float[] x = {-5f / 3, 5f / 3, 7f / 3, 13f / 3};
    assertThat(sample(Method.NEAREST, Padding.ZEROS, true, x)).containsExactly(0, 0, 0, 0);
    assertThat(sample(Method.NEAREST, Padding.BORDER, true, x)).containsExactly(10, 40, 40, 40);
    assertThat(sample(Method.NEAREST, Padding.REFLECTION, true, x)).containsExactly(20, 30, 20, 30);
    // Mirrored at the edges the first element comes twice: in elements -1, -2, 4, 5.
    float[] y = {-1.25f, -1.75f, 1.25f, 1.75f};
    assertThat(sample(Method.NEAREST, Padding.REFLECTION, false, y))
        .containsExactly(10, 20, 40, 30);
  }

  @Test
  void theOrderOfPaddingAndChoiceMattersForHalvesAndCurves() {
    // In elements -1.5: mirrored it is 0.5, rounded it is -2, which is mirrored to 1.
    SampleAttrs nearest =
        new SampleAttrs(Method.NEAREST, Padding.REFLECTION, false, SampleAttrs.Order.ONNX);
    assertThat(sample(nearest, -1.5f)).containsExactly(20);
    assertThat(sample(Method.NEAREST, Padding.REFLECTION, false, -1.5f)).containsExactly(10);
    // In elements -0.5: a curve through 10, 10, 10 and 20, or the border.
    SampleAttrs curve =
        new SampleAttrs(Method.BICUBIC, Padding.BORDER, true, SampleAttrs.Order.ONNX);
    assertThat(sample(curve, -4f / 3)).usingComparatorWithPrecision(1e-4f).containsExactly(10);
    assertThat(sample(Method.BICUBIC, Padding.BORDER, true, -4f / 3))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(9.0625f);
  }

  @Test
  void curvesGoThroughTheElements() {
    assertThat(sample(Method.BICUBIC, Padding.BORDER, true, -1, -1f / 3, 1f / 3, 1))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(10, 20, 30, 40);
    // Between 20 and 30 of a line the curve is the line.
    assertThat(sample(Method.BICUBIC, Padding.ZEROS, true, 0))
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(25);
  }

  @Test
  void theFirstCoordinateIsOfTheLastAxis() {
    Call call =
        GridSamples.gridSample(
            floats("x", 1, 1, 2, 2, 2),
            floats("g", 1, 3, 1, 1, 1),
            3,
            new SampleAttrs(Method.NEAREST, Padding.ZEROS, true));
    Tensor data = Tensor.of(new float[] {0, 1, 2, 3, 4, 5, 6, 7}, Shape.of(1, 1, 2, 2, 2));
    Tensor x = Tensor.of(new float[] {1, -1, -1}, Shape.of(1, 3, 1, 1, 1));
    Tensor z = Tensor.of(new float[] {-1, -1, 1}, Shape.of(1, 3, 1, 1, 1));
    assertThat(compute(call, data, x).getFirst().toFloatArray()).containsExactly(1);
    assertThat(compute(call, data, z).getFirst().toFloatArray()).containsExactly(4);
  }
}
