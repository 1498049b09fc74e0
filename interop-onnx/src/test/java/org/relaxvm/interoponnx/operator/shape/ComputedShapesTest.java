package org.relaxvm.interoponnx.operator.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.OnnxRuns.floats;
import static org.relaxvm.interoponnx.OnnxRuns.ints;
import static org.relaxvm.interoponnx.OnnxRuns.run;
import static org.relaxvm.interoponnx.OnnxRuns.text;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.data.ElementType;

/** Shapes, bounds and counts that are inputs of the model or computed from its extents. */
class ComputedShapesTest {
  private static final Tensor SIX = floats(Shape.of(2, 3), 1, 2, 3, 4, 5, 6);

  private static OnnxModels of(String operator, int numbers) {
    return new OnnxModels(18)
        .input("x", DType.FLOAT32, "n", "m")
        .input("numbers", DType.INT64, numbers)
        .output("y", DType.FLOAT32, "a", "b")
        .node(operator, List.of("x", "numbers"), List.of("y"));
  }

  @Test
  void reshapeCopiesExtentsAndFindsWhatIsLeft() {
    assertThat(text(of("Reshape", 3), SIX, ints(0, -1, 1)))
        .isEqualTo("float32 [2, 3, 1] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]");
    assertThat(text(of("Reshape", 1), SIX, ints(-1)))
        .isEqualTo("float32 [6] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]");
  }

  @Test
  void reshapeRefusesAnotherNumberOfElements() {
    assertThatThrownBy(() -> text(of("Reshape", 2), SIX, ints(4, -1)))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("cannot reshape a tensor of shape [2, 3] to [4, -1]");
    assertThatThrownBy(() -> text(of("Reshape", 2), SIX, ints(-1, -1)))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("cannot reshape a tensor of shape [2, 3] to [-1, -1]");
  }

  @Test
  void anExtentOfOneExpandsOnEitherSide() {
    Tensor row = floats(Shape.of(1, 2), 1, 2);
    assertThat(text(of("Expand", 2), row, ints(2, 1)))
        .isEqualTo("float32 [2, 2] [1.0, 2.0, 1.0, 2.0]");
    assertThat(text(of("Expand", 3), row, ints(1, 2, 2)))
        .isEqualTo("float32 [1, 2, 2] [1.0, 2.0, 1.0, 2.0]");
  }

  @Test
  void tileRepeatsAsOftenAsAnInputSays() {
    assertThat(text(of("Tile", 2), floats(Shape.of(1, 2), 1, 2), ints(2, 2)))
        .isEqualTo("float32 [2, 4] [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0]");
    assertThat(text(of("Tile", 2), floats(Shape.of(1, 2), 1, 2), ints(0, 1)))
        .isEqualTo("float32 [0, 2] []");
  }

  @Test
  void centerCropPadCropsAndPads() {
    assertThat(text(of("CenterCropPad", 2), SIX, ints(3, 2)))
        .isEqualTo("float32 [3, 2] [1.0, 2.0, 4.0, 5.0, 0.0, 0.0]");
    assertThat(text(of("CenterCropPad", 2), SIX, ints(1, 6)))
        .isEqualTo("float32 [1, 6] [0.0, 1.0, 2.0, 3.0, 0.0, 0.0]");
  }

  private static OnnxModels range(DType dtype) {
    return new OnnxModels(27)
        .input("start", dtype)
        .input("limit", dtype)
        .input("delta", dtype)
        .output("y", dtype, "n")
        .node("Range", List.of("start", "limit", "delta"), List.of("y"));
  }

  @Test
  void rangeCountsUpAndDown() {
    Tensor seven = Tensor.scalar(7L);
    assertThat(text(range(DType.INT64), Tensor.scalar(1L), seven, Tensor.scalar(3L)))
        .isEqualTo("int64 [2] [1, 4]");
    assertThat(text(range(DType.INT64), seven, Tensor.scalar(1L), Tensor.scalar(-4L)))
        .isEqualTo("int64 [2] [7, 3]");
    assertThat(text(range(DType.INT64), seven, Tensor.scalar(1L), Tensor.scalar(4L)))
        .isEqualTo("int64 [0] []");
    assertThat(
            text(
                range(DType.FLOAT32),
                floats(Shape.of(), 0),
                floats(Shape.of(), 1),
                floats(Shape.of(), 0.25)))
        .isEqualTo("float32 [4] [0.0, 0.25, 0.5, 0.75]");
  }

  /** In float32, 0.3 / 0.1 is 3; the quotient of the operands is above 3. */
  @Test
  void floatsOfRangesAreCountedInFloat64() {
    Shape scalar = Shape.of();
    Tensor result =
        run(range(DType.FLOAT32), floats(scalar, 0), floats(scalar, 0.3), floats(scalar, 0.1));
    assertThat(result.toFloatArray()).containsExactly(0, 0.1f, 0.2f, 3 * 0.1f);
  }

  @Test
  void splitSizesMayBeComputed() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 5)
            .input("sizes", DType.INT64, 2)
            .output("b", DType.FLOAT32, "n")
            .node("Split", List.of("x", "sizes"), List.of("a", "b"));
    assertThat(text(model, floats(1, 2, 3, 4, 5), ints(4, 1))).isEqualTo("float32 [1] [5.0]");
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "4, 2", "-1, 6"})
  void splitSizesAreThoseOfTheWholeExtent(long first, long second) {
    OnnxModels constant =
        new OnnxModels(11)
            .input("x", DType.FLOAT32, 5)
            .output("a", DType.FLOAT32, "n")
            .node(
                "Split", List.of("x"), List.of("a", "b"), Map.of("split", List.of(first, second)));
    assertThatThrownBy(() -> text(constant, floats(1, 2, 3, 4, 5)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining(
            "parts of sizes [%d, %d] are asked for along axis 0".formatted(first, second))
        .hasMessageContaining("with the sum 5");
    OnnxModels computed =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n")
            .input("sizes", DType.INT64, 2)
            .output("a", DType.FLOAT32, "m")
            .node("Split", List.of("x", "sizes"), List.of("a", "b"));
    assertThatThrownBy(() -> text(computed, floats(1, 2, 3, 4, 5), ints(first, second)))
        .isInstanceOf(CallException.class);
  }

  @Test
  void castsOfConstantsSaturateAsThoseOfInputsDo() {
    Tensor x = floats(300, -5, 2.75, -2.75);
    for (DType dtype : List.of(DType.UINT8, DType.INT8, DType.UINT16)) {
      Map<String, Object> to = Map.of("to", ElementType.of(dtype).number());
      OnnxModels constant = new OnnxModels(13).initializer("x", x);
      OnnxModels computed = new OnnxModels(13).input("x", DType.FLOAT32, 4);
      for (OnnxModels model : List.of(constant, computed)) {
        model.node("Cast", List.of("x"), List.of("y"), to).output("y", dtype, 4);
      }
      assertThat(text(constant)).isEqualTo(text(computed, x));
    }
  }

  /** {@code (n - 5) / 2} as an integer. */
  @Test
  void castsOfQuotientsOfExtentsTruncate() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n")
            .initializer("five", floats(5))
            .initializer("two", floats(2))
            .node("Shape", List.of("x"), List.of("shape"))
            .node("Cast", List.of("shape"), List.of("n"), Map.of("to", 1))
            .node("Sub", List.of("n", "five"), List.of("less"))
            .node("Div", List.of("less", "two"), List.of("half"))
            .node("Cast", List.of("half"), List.of("y"), Map.of("to", 7))
            .output("y", DType.INT64, 1);
    assertThat(text(model, floats(1, 2))).isEqualTo("int64 [1] [-1]");
    assertThat(text(model, floats(new double[8]))).isEqualTo("int64 [1] [1]");
  }

  /** {@code x[start:-100:-1]}. */
  private static OnnxModels backwards() {
    return new OnnxModels(13)
        .initializer("end", ints(-100))
        .initializer("axis", ints(0))
        .initializer("step", ints(-1))
        .node("Slice", List.of("x", "start", "end", "axis", "step"), List.of("y"))
        .output("y", DType.INT64, "m");
  }

  @Test
  void aStartBeforeTheFirstElementIsThatElement() {
    Tensor x = ints(1, 2, 3);
    Tensor start = ints(-10);
    assertThat(text(backwards().initializer("start", start).initializer("x", x)))
        .isEqualTo("int64 [1] [1]");
    for (Object extent : List.of(3, "n")) {
      OnnxModels constant = backwards().initializer("start", start).input("x", DType.INT64, extent);
      assertThat(text(constant, x)).isEqualTo("int64 [1] [1]");
      OnnxModels computed =
          backwards().input("start", DType.INT64, 1).input("x", DType.INT64, extent);
      assertThat(text(computed, start, x)).isEqualTo("int64 [1] [1]");
      assertThat(text(computed, ints(-2), x)).isEqualTo("int64 [2] [2, 1]");
    }
    OnnxModels symbolic = backwards().initializer("start", start).input("x", DType.INT64, "n");
    assertThat(text(symbolic, ints())).isEqualTo("int64 [0] []");
  }

  @Test
  void diagonalsOfTrianglesMayBeNegative() {
    OnnxModels model =
        new OnnxModels(14)
            .input("x", DType.FLOAT32, 2, 3)
            .input("k", DType.INT64)
            .output("y", DType.FLOAT32, 2, 3)
            .node("Trilu", List.of("x", "k"), List.of("y"), Map.of("upper", 0));
    assertThat(text(model, SIX, Tensor.scalar(-1L)))
        .isEqualTo("float32 [2, 3] [0.0, 0.0, 0.0, 4.0, 0.0, 0.0]");
    assertThat(text(model, SIX, Tensor.scalar(1L)))
        .isEqualTo("float32 [2, 3] [1.0, 2.0, 0.0, 4.0, 5.0, 6.0]");
  }

  @Test
  void theNumberOfLargestElementsMayBeComputed() {
    OnnxModels model =
        new OnnxModels(11)
            .input("x", DType.FLOAT32, "n")
            .input("k", DType.INT64, 1)
            .output("values", DType.FLOAT32, "m")
            .node("TopK", List.of("x", "k"), List.of("values", "indices"), Map.of("largest", 0));
    assertThat(text(model, floats(3, 1, 2), ints(2))).isEqualTo("float32 [2] [1.0, 2.0]");
    assertThat(text(model, floats(3, 1, 2), ints(0))).isEqualTo("float32 [0] []");
  }
}
