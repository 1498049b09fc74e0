package org.relaxvm.interoponnx.operator.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.interoponnx.OnnxRuns.floats;
import static org.relaxvm.interoponnx.OnnxRuns.ints;
import static org.relaxvm.interoponnx.OnnxRuns.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/** {@code Pad}: widths in the model and computed, in all modes and versions. */
class PadTest {
  private static OnnxModels pad(int opset, String mode, Object extent) {
    return new OnnxModels(opset)
        .input("x", DType.FLOAT32, extent)
        .output("y", DType.FLOAT32, "m")
        .node("Pad", List.of("x", "pads"), List.of("y"), Map.of("mode", mode));
  }

  /** Results are those of NumPy, negative widths cut off first. */
  static Stream<Arguments> modes() {
    return Stream.of(
        Arguments.of("constant", ints(1, 2), "float32 [6] [0.0, 1.0, 2.0, 3.0, 0.0, 0.0]"),
        Arguments.of("constant", ints(-2, 1), "float32 [2] [3.0, 0.0]"),
        Arguments.of("edge", ints(2, 1), "float32 [6] [1.0, 1.0, 1.0, 2.0, 3.0, 3.0]"),
        Arguments.of("edge", ints(-1, 2), "float32 [4] [2.0, 3.0, 3.0, 3.0]"),
        Arguments.of("reflect", ints(2, 1), "float32 [6] [3.0, 2.0, 1.0, 2.0, 3.0, 2.0]"),
        Arguments.of(
            "reflect",
            ints(5, 6),
            "float32 [14] [2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0]"),
        Arguments.of("reflect", ints(1, -1), "float32 [3] [2.0, 1.0, 2.0]"),
        Arguments.of(
            "wrap",
            ints(4, 5),
            "float32 [12] [3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0]"));
  }

  @ParameterizedTest
  @MethodSource("modes")
  void widthsOfTheModel(String mode, Tensor widths, String expected) {
    OnnxModels model = pad(19, mode, 3).initializer("pads", widths);
    assertThat(text(model, floats(1, 2, 3))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("modes")
  void widthsThatAreComputed(String mode, Tensor widths, String expected) {
    OnnxModels model = pad(19, mode, "n").input("pads", DType.INT64, 2);
    assertThat(text(model, floats(1, 2, 3), widths)).isEqualTo(expected);
  }

  @Test
  void aTensorOfOneElementIsItsOwnMirrorImage() {
    OnnxModels model = pad(13, "reflect", "n").initializer("pads", ints(2, 1));
    assertThat(text(model, floats(7))).isEqualTo("float32 [4] [7.0, 7.0, 7.0, 7.0]");
  }

  @Test
  void widthsAreAttributesOfTheFirstVersions() {
    for (Map.Entry<Integer, String> version : Map.of(1, "paddings", 2, "pads").entrySet()) {
      OnnxModels model =
          new OnnxModels(version.getKey())
              .input("x", DType.FLOAT32, 1, 2)
              .output("y", DType.FLOAT32, 1, 4)
              .node(
                  "Pad",
                  List.of("x"),
                  List.of("y"),
                  Map.of(version.getValue(), List.of(0, 1, 0, 1), "value", 5.0f));
      assertThat(text(model, floats(Shape.of(1, 2), 1, 2)))
          .isEqualTo("float32 [1, 4] [5.0, 1.0, 2.0, 5.0]");
    }
  }

  @Test
  void someAxesWithAValueThatIsComputed() {
    OnnxModels model =
        new OnnxModels(18)
            .input("x", DType.INT64, 2, "n")
            .input("value", DType.INT64)
            .initializer("pads", ints(1, 0))
            .initializer("axes", ints(-1))
            .output("y", DType.INT64, 2, "m")
            .node("Pad", List.of("x", "pads", "value", "axes"), List.of("y"));
    Tensor x = Tensor.of(new long[] {1, 2}, Shape.of(2, 1));
    assertThat(text(model, x, Tensor.scalar(1L << 60)))
        .isEqualTo("int64 [2, 2] [1152921504606846976, 1, 1152921504606846976, 2]");
  }

  @Test
  void anEmptyValueIsNone() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 1)
            .initializer("pads", ints(1, 0))
            .output("y", DType.FLOAT32, 2)
            .node("Pad", List.of("x", "pads", ""), List.of("y"));
    assertThat(text(model, floats(3))).isEqualTo("float32 [2] [0.0, 3.0]");
  }
}
