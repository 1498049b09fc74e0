package org.relaxvm.interoponnx.operator.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.OnnxRuns.floats;
import static org.relaxvm.interoponnx.OnnxRuns.ints;
import static org.relaxvm.interoponnx.OnnxRuns.run;
import static org.relaxvm.interoponnx.OnnxRuns.text;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** {@code Resize} and {@code Upsample}: what the conformance cases leave out. */
class ResizeTest {
  private static final Tensor LINE = floats(1, 2, 4, 8, 16, 32);

  private static OnnxModels line(Object extent) {
    return new OnnxModels(19).input("x", DType.FLOAT32, extent).output("y", DType.FLOAT32, "m");
  }

  private static OnnxModels scaled(Object extent, Map<String, ?> attributes) {
    return line(extent).node("Resize", List.of("x", "", "scales"), List.of("y"), attributes);
  }

  @Test
  void oneAxisIsWidenedAgainstAliasing() {
    Map<String, ?> attributes = Map.of("mode", "linear", "antialias", 1);
    OnnxModels model =
        line("n")
            .input("sizes", DType.INT64, 1)
            .node("Resize", List.of("x", "", "", "sizes"), List.of("y"), attributes);
    assertThat(run(model, LINE, ints(2)).toFloatArray())
        .containsExactly(new float[] {2.7777778f, 18.222223f}, Offset.offset(1e-5f));
    assertThat(run(model, LINE, ints(3)).toFloatArray())
        .containsExactly(new float[] {1.75f, 6.75f, 23}, Offset.offset(1e-5f));
    assertThat(run(model, LINE, ints(6)).toFloatArray())
        .containsExactly(new float[] {1, 2, 4, 8, 16, 32}, Offset.offset(1e-5f));
  }

  @Test
  void scalesOfTheModelAndComputedOnesGiveTheSame() {
    Map<String, ?> attributes =
        Map.of("mode", "linear", "coordinate_transformation_mode", "half_pixel_symmetric");
    OnnxModels known = scaled("n", attributes).initializer("scales", floats(0.7));
    OnnxModels computed = scaled("n", attributes).input("scales", DType.FLOAT32, 1);
    String expected = text(known, LINE);
    assertThat(text(computed, LINE, floats(0.7))).isEqualTo(expected);
    assertThat(text(scaled(6, attributes).initializer("scales", floats(0.7)), LINE))
        .isEqualTo(expected)
        .startsWith("float32 [4] ");
  }

  @Test
  void symbolicExtentsAreRoundedAsRuntimesDo() {
    for (int n : new int[] {3, 6, 10, 100}) {
      for (double scale : new double[] {0.7, 5.0 / 6, 0.1, 1.0 / 3, 2, 1.5}) {
        Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(n));
        long expected = (long) Math.floor((float) scale * n);
        Tensor y = run(scaled("n", Map.of()).initializer("scales", floats(scale)), x);
        assertThat(y.shape()).as("%s * %s", n, scale).isEqualTo(Shape.of(expected));
      }
    }
  }

  @Test
  void integersAndBooleansAreMovedByTheNearestElement() {
    OnnxModels model =
        new OnnxModels(19)
            .input("x", DType.INT64, 2)
            .initializer("scales", floats(2))
            .output("y", DType.INT64, 4)
            .node("Resize", List.of("x", "", "scales"), List.of("y"));
    assertThat(text(model, ints(1L << 60, 3)))
        .isEqualTo("int64 [4] [1152921504606846976, 1152921504606846976, 3, 3]");
  }

  @Test
  void aScaleOfOneIsNoKernel() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n", 3)
            .initializer("scales", floats(1, 1))
            .output("y", DType.FLOAT32, "n", 3)
            .node("Resize", List.of("x", "", "scales"), List.of("y"));
    assertThat(RelaxText.print(model.model().toRelax(OnnxOptions.DEFAULT)))
        .doesNotContain("resample");
  }

  @Test
  void theCropMayBeComputed() {
    OnnxModels model =
        line(5)
            .input("roi", DType.FLOAT32, 2)
            .initializer("sizes", ints(3))
            .node(
                "Resize",
                List.of("x", "roi", "", "sizes"),
                List.of("y"),
                Map.of(
                    "mode",
                    "linear",
                    "coordinate_transformation_mode",
                    "tf_crop_and_resize",
                    "extrapolation_value",
                    9.0f));
    assertThat(text(model, floats(0, 10, 20, 30, 40), floats(0.25, 1.25)))
        .isEqualTo("float32 [3] [10.0, 30.0, 9.0]");
  }

  @Test
  void fourAxesAreResampledOneAfterTheOther() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 1, 1, 1, 2)
            .initializer("scales", floats(2, 2, 2, 2))
            .output("y", DType.FLOAT32, 2, 2, 2, 4)
            .node("Resize", List.of("x", "", "scales"), List.of("y"), Map.of("mode", "linear"));
    Tensor result = run(model, floats(Shape.of(1, 1, 1, 2), 0, 4));
    assertThat(result.shape()).isEqualTo(Shape.of(2, 2, 2, 4));
    assertThat(result.toFloatArray()).startsWith(0, 1, 3, 4, 0, 1, 3, 4);
  }

  @Test
  void upsampleHasItsScalesAsAttributesAtFirst() {
    OnnxModels model =
        new OnnxModels(7)
            .input("x", DType.FLOAT32, 1, 1, 1, 2)
            .output("y", DType.FLOAT32, 1, 1, 1, 4)
            .node(
                "Upsample",
                List.of("x"),
                List.of("y"),
                Map.of("scales", List.of(1.0f, 1.0f, 1.0f, 2.0f), "mode", "nearest"));
    assertThat(text(model, floats(Shape.of(1, 1, 1, 2), 1, 2)))
        .isEqualTo("float32 [1, 1, 1, 4] [1.0, 1.0, 2.0, 2.0]");
  }

  @Test
  void wrongScalesAreReported() {
    assertThatThrownBy(
            () ->
                scaled(6, Map.of())
                    .initializer("scales", floats(1, 2))
                    .model()
                    .toRelax(OnnxOptions.DEFAULT))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("Resize of 'y': it has 2 scales for 1 axes");
    assertThatThrownBy(
            () ->
                scaled(6, Map.of())
                    .initializer("scales", floats(-1))
                    .model()
                    .toRelax(OnnxOptions.DEFAULT))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("a scale is -1.0; expected a number above 0");
  }
}
