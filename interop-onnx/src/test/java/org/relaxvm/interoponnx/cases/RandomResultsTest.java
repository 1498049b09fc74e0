package org.relaxvm.interoponnx.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/** What is determined of results that depend on random numbers. */
class RandomResultsTest {
  private static final int OPSET = 22;

  private static OnnxModels model() {
    return new OnnxModels(OPSET)
        .input("x", DType.FLOAT32, 2)
        .input("ratio", DType.FLOAT32)
        .input("mode", DType.BOOL);
  }

  private static List<Determination> of(OnnxModels model, Map<String, Double> numbers) {
    return RandomResults.of(model.model().proto(), name -> Optional.ofNullable(numbers.get(name)));
  }

  private static OnnxModels dropout() {
    return model()
        .node("Dropout", List.of("x", "ratio", "mode"), List.of("y", "mask"))
        .node("Add", List.of("y", "x"), List.of("sum"))
        .output("y", DType.FLOAT32, 2)
        .output("mask", DType.BOOL, 2)
        .output("sum", DType.FLOAT32, 2);
  }

  @Test
  void dropoutLeavesElementsOrMakesThemZero() {
    assertThat(of(dropout(), Map.of("ratio", 0.5, "mode", 1.0)))
        .containsExactly(Determination.UNLESS_ZERO, Determination.ZERO_OR_ONE, Determination.TYPE);
  }

  @Test
  void dropoutThatLeavesNothingOutIsDetermined() {
    assertThat(of(dropout(), Map.of("ratio", 0.0, "mode", 1.0))).containsOnly(Determination.ALL);
    assertThat(of(dropout(), Map.of("ratio", 0.5, "mode", 0.0))).containsOnly(Determination.ALL);
  }

  @Test
  void comparisonsWithRandomNumbersAreBits() {
    OnnxModels model =
        model()
            .node("Cast", List.of("less"), List.of("bits"), Map.of("to", 1))
            .node("Less", List.of("numbers", "x"), List.of("less"))
            .node("RandomUniformLike", List.of("x"), List.of("numbers"))
            .node("Shape", List.of("numbers"), List.of("shape"))
            .node("Bernoulli", List.of("x"), List.of("drawn"))
            .output("bits", DType.FLOAT32, 2)
            .output("numbers", DType.FLOAT32, 2)
            .output("shape", DType.INT64, 1)
            .output("drawn", DType.FLOAT32, 2);
    assertThat(of(model, Map.of()))
        .containsExactly(
            Determination.ZERO_OR_ONE,
            Determination.TYPE,
            Determination.ALL,
            Determination.ZERO_OR_ONE);
  }

  @Test
  void branchesWithRandomNumbersAreNotDetermined() {
    OnnxModels branch =
        OnnxModels.subgraph()
            .node("RandomNormalLike", List.of("x"), List.of("z"))
            .output("z", DType.FLOAT32, 2);
    OnnxModels other =
        OnnxModels.subgraph()
            .node("Identity", List.of("x"), List.of("z"))
            .output("z", DType.FLOAT32, 2);
    OnnxModels model =
        model()
            .node(
                "If",
                List.of("mode"),
                List.of("y"),
                Map.of("then_branch", branch.graph(), "else_branch", other.graph()))
            .node("Neg", List.of("x"), List.of("negative"))
            .output("y", DType.FLOAT32, 2)
            .output("negative", DType.FLOAT32, 2);
    assertThat(of(model, Map.of())).containsExactly(Determination.TYPE, Determination.ALL);
  }

  @Test
  void onlyWhatIsDeterminedIsCompared() {
    Tolerance tolerance = new Tolerance(1e-3, 1e-5);
    Tensor want = Tensor.of(new float[] {2, 0, 4}, Shape.of(3));
    assertThat(tolerance.difference(Determination.UNLESS_ZERO, want, floats(0, 7, 4))).isEmpty();
    assertThat(tolerance.difference(Determination.UNLESS_ZERO, want, floats(3, 0, 4)))
        .hasValue("element 0: expected 2.0, but got 3.0");
    assertThat(tolerance.difference(Determination.ZERO_OR_ONE, want, floats(1, 0, 1))).isEmpty();
    assertThat(tolerance.difference(Determination.ZERO_OR_ONE, want, floats(1, 0.5f, 1)))
        .hasValue("element 1: expected 0 or 1, but got 0.5");
    assertThat(tolerance.difference(Determination.TYPE, want, floats(9, 9, 9))).isEmpty();
    assertThat(tolerance.difference(Determination.TYPE, want, floats(9, 9)))
        .hasValue("expected float32[3], but got float32[2]");
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
