package org.relaxvm.interoponnx.operator.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.OnnxRuns.floats;
import static org.relaxvm.interoponnx.OnnxRuns.ints;
import static org.relaxvm.interoponnx.OnnxRuns.text;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Elements found by value and at indices: what the conformance cases leave out. */
class SearchesTest {
  @Test
  void compressFlattensWithoutAnAxis() {
    OnnxModels model =
        new OnnxModels(11)
            .input("x", DType.FLOAT32, 2, 2)
            .input("condition", DType.BOOL, "c")
            .output("y", DType.FLOAT32, "n")
            .node("Compress", List.of("x", "condition"), List.of("y"));
    Tensor condition = Tensor.of(new byte[] {0, 1, 1}, DType.BOOL, Shape.of(3));
    assertThat(text(model, floats(Shape.of(2, 2), 1, 2, 3, 4), condition))
        .isEqualTo("float32 [2] [2.0, 3.0]");
  }

  @Test
  void nonZeroOfANumberHasNoRows() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32)
            .output("y", DType.INT64, 0, "n")
            .node("NonZero", List.of("x"), List.of("y"));
    assertThat(text(model, floats(Shape.of(), 3))).isEqualTo("int64 [0, 1] []");
    assertThat(text(model, floats(Shape.of(), 0))).isEqualTo("int64 [0, 0] []");
  }

  @Test
  void onlyTheWantedResultsOfUniqueAreMade() {
    OnnxModels model =
        new OnnxModels(11)
            .input("x", DType.INT64, "n")
            .output("counts", DType.INT64, "m")
            .node("Unique", List.of("x"), List.of("y", "", "", "counts"), Map.of("sorted", 0));
    assertThat(text(model, ints(5, 2, 5, 5))).isEqualTo("int64 [2] [3, 1]");
  }

  @Test
  void oneHotTakesFloatsAndWrapsNegativeIndices() {
    OnnxModels model =
        new OnnxModels(11)
            .input("indices", DType.FLOAT32, "n")
            .input("depth", DType.FLOAT32)
            .initializer("values", floats(-1, 1))
            .output("y", DType.FLOAT32, "d", "n")
            .node("OneHot", List.of("indices", "depth", "values"), List.of("y"), Map.of("axis", 0));
    assertThat(text(model, floats(1, -1, 5), floats(Shape.of(), 3)))
        .isEqualTo("float32 [3, 3] [-1.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0, 1.0, -1.0]");
  }

  @Test
  void scattersReduce() {
    OnnxModels model =
        new OnnxModels(18)
            .input("x", DType.FLOAT32, 3)
            .input("i", DType.INT64, 3, 1)
            .input("u", DType.FLOAT32, 3)
            .output("y", DType.FLOAT32, 3)
            .node("ScatterND", List.of("x", "i", "u"), List.of("y"), Map.of("reduction", "mul"));
    Tensor at = Tensor.of(new long[] {0, -1, 0}, Shape.of(3, 1));
    assertThat(text(model, floats(1, 2, 3), at, floats(5, 7, 2)))
        .isEqualTo("float32 [3] [10.0, 2.0, 21.0]");
  }

  @Test
  void aCacheIsUpdatedFromTheFirstRowWithoutIndices() {
    OnnxModels model =
        new OnnxModels(24)
            .input("past", DType.FLOAT32, 1, 3, 1)
            .input("update", DType.FLOAT32, 1, 2, 1)
            .output("present", DType.FLOAT32, 1, 3, 1)
            .node("TensorScatter", List.of("past", "update"), List.of("present"));
    assertThat(text(model, floats(Shape.of(1, 3, 1), 1, 2, 3), floats(Shape.of(1, 2, 1), 8, 9)))
        .isEqualTo("float32 [1, 3, 1] [8.0, 9.0, 3.0]");
  }

  @Test
  void anUnknownReductionIsReported() {
    OnnxModels model =
        new OnnxModels(18)
            .input("x", DType.FLOAT32, 3)
            .input("i", DType.INT64, 3)
            .output("y", DType.FLOAT32, 3)
            .node(
                "ScatterElements", List.of("x", "i", "x"), List.of("y"), Map.of("reduction", "or"));
    assertThatThrownBy(() -> model.model().toRelax(OnnxOptions.DEFAULT))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("there is no reduction 'or'; expected none, add, mul, max or min");
  }
}
