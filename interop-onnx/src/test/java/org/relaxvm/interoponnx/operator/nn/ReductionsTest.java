package org.relaxvm.interoponnx.operator.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.floats;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.halves;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Reductions, extremes, scans and softmax. */
class ReductionsTest {
  private static final float INFINITY = Float.POSITIVE_INFINITY;
  private static final Tensor X = floats(new float[] {1, -2, 3, -4, 5, -6}, 2, 3);

  private static Tensor longs(long... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  @ParameterizedTest
  @CsvSource({
    "ReduceSum, -2",
    "ReduceL1, 2",
    "ReduceL2, 2",
    "ReduceSumSquare, 4",
    "ReduceLogSumExp, -2",
    "ReduceMean, -2",
    "ReduceMax, -2",
    "ReduceProd, -2"
  })
  void withoutAxesTheFunctionsBeforeAndAfterAreStillApplied(String operator, float expected) {
    assertThat(
            NodeRun.of(operator, 18)
                .with("noop_with_empty_axes", 1)
                .input(new float[] {-2}, 1)
                .run()
                .toFloatArray())
        .containsExactly(expected);
  }

  @Test
  void emptyAxesMeanAllUnlessTheyMeanNone() {
    assertThat(NodeRun.of("ReduceSum", 13).input(X).input(longs()).run().toFloatArray())
        .containsExactly(-3);
    assertThat(
            NodeRun.of("ReduceSum", 13)
                .with("noop_with_empty_axes", 1)
                .input(X)
                .input(longs())
                .run()
                .toFloatArray())
        .containsExactly(1, -2, 3, -4, 5, -6);
  }

  @Test
  void axesAreAnAttributeInOldVersions() {
    Tensor result =
        NodeRun.of("ReduceMax", 11).with("axes", List.of(-1)).with("keepdims", 0).input(X).run();
    assertThat(result.shape()).isEqualTo(Shape.of(2));
    assertThat(result.toFloatArray()).containsExactly(3, 5);
  }

  @Test
  void asManyAxesAsThereAreNeedNotBeKnown() {
    Tensor result =
        NodeRun.of("ReduceSum", 13).with("keepdims", 0).input(X).input(longs(-1, 0)).run();
    assertThat(result.shape()).isEqualTo(Shape.of());
    assertThat(result.toFloatArray()).containsExactly(-3);
  }

  @Test
  void integersAreRoundedTowardsZero() {
    Tensor integers = Tensor.of(new int[] {-3, -4, 7, 1}, Shape.of(2, 2));
    assertThat(
            NodeRun.of("ReduceMean", 18)
                .with("keepdims", 0)
                .input(integers, "n", 2)
                .constant(longs(1))
                .run()
                .toLongArray())
        .containsExactly(-3, 4);
    assertThat(NodeRun.of("ReduceL2", 18).input(integers).constant(longs(1)).run().toLongArray())
        .containsExactly(5, 7);
  }

  @Test
  void exponentialsNeitherOverflowNorGiveNan() {
    float low = -INFINITY;
    Tensor x = floats(new float[] {1000, 1000, low, low, INFINITY, 0}, 3, 2);
    assertThat(
            NodeRun.of("ReduceLogSumExp", 18)
                .with("keepdims", 0)
                .input(x)
                .constant(longs(1))
                .run()
                .toFloatArray())
        .containsExactly(1000 + (float) Math.log(2), low, INFINITY);
  }

  @Test
  void squaresOfHalvesDoNotOverflow() {
    Tensor half = halves(floats(new float[] {300, 400}, 2));
    assertThat(NodeRun.of("ReduceL2", 18).input(half).run().toFloatArray()).containsExactly(500);
  }

  @Test
  void shapesAreReducedWhileAModelIsImported() {
    String text =
        RelaxText.print(
            new OnnxModels(13)
                .input("x", DType.FLOAT32, "n", 3, "m")
                .node("Shape", List.of("x"), List.of("shape"))
                .node("ReduceProd", List.of("shape"), List.of("count"), Map.of("keepdims", 1))
                .node("Reshape", List.of("x", "count"), List.of("y"))
                .output("y", DType.FLOAT32, "k")
                .model()
                .toRelax(OnnxOptions.DEFAULT));
    assertThat(text).contains("R.reshape").doesNotContain("R.prod").doesNotContain("tensor_to");
  }

  // ---------------------------------------------------------------- extremes

  @Test
  void theLastOfEqualsIsChosenIfWanted() {
    Tensor x = floats(new float[] {2, 1, 2, 0, 0, 0}, 2, 3);
    assertThat(NodeRun.of("ArgMax", 13).with("axis", 1).input(x).run().toLongArray())
        .containsExactly(0, 0);
    Tensor last =
        NodeRun.of("ArgMax", 13)
            .with("axis", -1)
            .with("select_last_index", 1)
            .with("keepdims", 0)
            .input(x, "n", "m")
            .run();
    assertThat(last.shape()).isEqualTo(Shape.of(2));
    assertThat(last.toLongArray()).containsExactly(2, 2);
  }

  // ---------------------------------------------------------------- scans

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "-1, 1", "-2, 0"})
  void theAxisOfAScanMayBeComputed(long axis, long same) {
    Tensor expected =
        NodeRun.of("CumSum", 14).with("reverse", 1).input(X).constant(Tensor.scalar(same)).run();
    Tensor actual =
        NodeRun.of("CumSum", 14)
            .with("reverse", 1)
            .input(X, "n", 3)
            .input(Tensor.scalar(axis))
            .run();
    assertThat(actual.shape()).isEqualTo(X.shape());
    assertThat(actual.toFloatArray()).containsExactly(expected.toFloatArray());
  }

  @ParameterizedTest
  @CsvSource({"2", "-3"})
  void anAxisThatThereIsNotIsRefusedWhenTheProgramRuns(long axis) {
    NodeRun run = NodeRun.of("CumSum", 14).input(X).input(Tensor.scalar(axis));
    assertThatThrownBy(run::run).isInstanceOf(RelaxException.class);
  }

  @Test
  void exclusiveProductsStartWithOne() {
    assertThat(
            NodeRun.of("CumProd", 26)
                .with("exclusive", 1)
                .input(X)
                .constant(Tensor.scalar(1L))
                .run()
                .toFloatArray())
        .containsExactly(1, 1, -2, 1, -4, -20);
  }

  // ---------------------------------------------------------------- softmax

  @Test
  void softmaxGoesOverAllTrailingAxesBeforeVersion13() {
    Tensor x = NodeRun.varied(2, 3, 4);
    float[] matrix =
        NodeRun.of("Softmax", 13).input(x.reshape(Shape.of(2, 12))).run().toFloatArray();
    assertThat(NodeRun.of("Softmax", 11).input(x).run().toFloatArray()).containsExactly(matrix);
    assertThat(NodeRun.of("Softmax", 11).input(x, "n", "m", 4).run().toFloatArray())
        .containsExactly(matrix);
    float[] last = NodeRun.of("Softmax", 13).input(x).run().toFloatArray();
    assertThat(NodeRun.of("Softmax", 1).with("axis", 2).input(x).run().toFloatArray())
        .containsExactly(last);
  }

  @Test
  void hardmaxChoosesTheFirstOfEquals() {
    Tensor x = floats(new float[] {1, 3, 3, 2, 2, 0}, 2, 3);
    assertThat(NodeRun.of("Hardmax", 13).input(x, "n", "m").run().toFloatArray())
        .containsExactly(0, 1, 0, 1, 0, 0);
    assertThat(NodeRun.of("Hardmax", 11).with("axis", 0).input(x).run().toFloatArray())
        .containsExactly(0, 1, 0, 0, 0, 0);
  }
}
