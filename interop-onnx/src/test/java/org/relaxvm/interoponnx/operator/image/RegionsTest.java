package org.relaxvm.interoponnx.operator.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.interoponnx.OnnxRuns.floats;
import static org.relaxvm.interoponnx.OnnxRuns.ints;
import static org.relaxvm.interoponnx.OnnxRuns.text;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/** Regions and boxes: what the conformance cases leave out. */
class RegionsTest {
  private static final Tensor IMAGE =
      floats(Shape.of(1, 1, 4, 4), IntStream.range(0, 16).asDoubleStream().toArray());

  @Test
  void theLargestElementsOfBins() {
    OnnxModels model =
        new OnnxModels(1)
            .input("x", DType.FLOAT32, 1, 1, 4, 4)
            .input("rois", DType.FLOAT32, "r", 5)
            .output("y", DType.FLOAT32, "r", 1, 2, 2)
            .node(
                "MaxRoiPool",
                List.of("x", "rois"),
                List.of("y"),
                Map.of("pooled_shape", List.of(2, 2), "spatial_scale", 0.5f));
    Tensor rois = floats(Shape.of(3, 5), 0, 0, 0, 6, 4, 0, 2, 2, 14, 6, 0, 12, 12, 14, 14);
    assertThat(text(model, IMAGE, rois))
        .isEqualTo(
            "float32 [3, 1, 2, 2] [5.0, 7.0, 9.0, 11.0, 11.0, 0.0, 15.0, 0.0, 0.0, 0.0, 0.0, 0.0]");
  }

  private static OnnxModels align(Map<String, ?> attributes) {
    return new OnnxModels(16)
        .input("x", DType.FLOAT32, 1, 1, 4, 4)
        .input("rois", DType.FLOAT32, "r", 4)
        .input("images", DType.INT64, "r")
        .output("y", DType.FLOAT32, "r", 1, "h", "w")
        .node("RoiAlign", List.of("x", "rois", "images"), List.of("y"), attributes);
  }

  @Test
  void regionsAreSampledBetweenElements() {
    // One sample in the middle of four elements: 0, 1, 4, 5.
    Tensor roi = floats(Shape.of(1, 4), 0, 0, 2, 2);
    assertThat(text(align(Map.of("sampling_ratio", 1)), IMAGE, roi, ints(0)))
        .isEqualTo("float32 [1, 1, 1, 1] [2.5]");
    assertThat(text(align(Map.of("sampling_ratio", 1, "mode", "max")), IMAGE, roi, ints(0)))
        .isEqualTo("float32 [1, 1, 1, 1] [1.25]");
    assertThat(
            text(
                align(
                    Map.of(
                        "sampling_ratio",
                        1,
                        "coordinate_transformation_mode",
                        "output_half_pixel")),
                IMAGE,
                roi,
                ints(0)))
        .isEqualTo("float32 [1, 1, 1, 1] [5.0]");
  }

  @Test
  void regionsOutsideOfTheImageAreZero() {
    Tensor roi = floats(Shape.of(1, 4), 10, 10, 12, 12);
    assertThat(text(align(Map.of("output_width", 2)), IMAGE, roi, ints(0)))
        .isEqualTo("float32 [1, 1, 1, 2] [0.0, 0.0]");
  }

  @Test
  void nothingIsKeptWithoutALimitAndAllWithoutAThreshold() {
    OnnxModels none =
        new OnnxModels(11)
            .input("boxes", DType.FLOAT32, 1, 2, 4)
            .input("scores", DType.FLOAT32, 1, 1, 2)
            .output("kept", DType.INT64, "k", 3)
            .node("NonMaxSuppression", List.of("boxes", "scores"), List.of("kept"));
    Tensor boxes = floats(Shape.of(1, 2, 4), 0, 0, 1, 1, 5, 5, 4, 4);
    Tensor scores = floats(Shape.of(1, 1, 2), -2, -1);
    assertThat(text(none, boxes, scores)).isEqualTo("int64 [0, 3] []");
    OnnxModels all =
        new OnnxModels(11)
            .input("boxes", DType.FLOAT32, 1, 2, 4)
            .input("scores", DType.FLOAT32, 1, 1, 2)
            .initializer("most", ints(5))
            .output("kept", DType.INT64, "k", 3)
            .node("NonMaxSuppression", List.of("boxes", "scores", "most"), List.of("kept"));
    assertThat(text(all, boxes, scores)).isEqualTo("int64 [2, 3] [0, 0, 1, 0, 0, 0]");
  }
}
