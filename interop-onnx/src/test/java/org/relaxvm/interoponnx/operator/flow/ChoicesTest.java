package org.relaxvm.interoponnx.operator.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Choices that are decided while a model is imported, and those of run time. */
class ChoicesTest {
  private static final Tensor ONE = Tensor.of(new long[] {1}, Shape.of(1));
  private static final Tensor ZERO = Tensor.of(new long[] {0}, Shape.of(1));

  private static Tensor bool(boolean value) {
    return Tensor.of(new boolean[] {value}, Shape.of());
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static Message branch(String operator, List<String> inputs, Map<String, ?> attributes) {
    return OnnxModels.subgraph()
        .node(operator, inputs, List.of("result"), attributes)
        .output("result", DType.FLOAT32)
        .graph();
  }

  /** {@code y = if extent(x, 0) == 1: squeeze(x, 0) else: x}. */
  private static OnnxModels squeezed(Object extent) {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, extent, 2)
        .initializer("one", ONE)
        .initializer("zero", ZERO)
        .node("Shape", List.of("x"), List.of("shape"))
        .node("Gather", List.of("shape", "zero"), List.of("extent"))
        .node("Equal", List.of("extent", "one"), List.of("is_one"))
        .node(
            "If",
            List.of("is_one"),
            List.of("y"),
            Map.of(
                "then_branch", branch("Squeeze", List.of("x", "zero"), Map.of()),
                "else_branch", branch("Identity", List.of("x"), Map.of())));
  }

  @Test
  void aConditionOnExtentsIsDecidedByThem() {
    OnnxModels one = squeezed(1).output("y", DType.FLOAT32, 2);
    assertThat(RelaxText.print(one.model().toRelax(OnnxOptions.DEFAULT))).doesNotContain("if ");
    assertThat(Runs.tensor(one, Tensor.of(new float[] {1, 2}, Shape.of(1, 2))))
        .isEqualTo("float32[2] [1.0, 2.0]");
    OnnxModels three = squeezed(3).output("y", DType.FLOAT32, 3, 2);
    assertThat(RelaxText.print(three.model().toRelax(OnnxOptions.DEFAULT))).doesNotContain("if ");
    String bound =
        RelaxText.print(
            squeezed("n")
                .output("y", DType.FLOAT32)
                .model()
                .toRelax(OnnxOptions.DEFAULT.bind("n", 1)));
    assertThat(bound).doesNotContain("if ");
  }

  @Test
  void branchesOfOtherRanksGetCopiesOfWhatFollows() {
    OnnxModels model =
        squeezed("n")
            .node("Neg", List.of("y"), List.of("negative"))
            .node("Flatten", List.of("negative"), List.of("flat"), Map.of("axis", 0))
            .node("Shape", List.of("negative"), List.of("extents"))
            .output("flat", DType.FLOAT32, 1, "m")
            .output("extents", DType.INT64, "r");
    assertThat(Runs.all(model, Tensor.of(new float[] {1, 2}, Shape.of(1, 2))))
        .isEqualTo("(float32[1, 2] [-1.0, -2.0], int64[1] [2])");
    assertThat(Runs.all(model, Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2))))
        .isEqualTo("(float32[1, 4] [-1.0, -2.0, -3.0, -4.0], int64[2] [2, 2])");
  }

  /** A value of one, two or three axes by two conditions, and what follows. */
  private static OnnxModels twice() {
    return new OnnxModels(13)
        .input("p", DType.BOOL)
        .input("q", DType.BOOL)
        .input("x", DType.FLOAT32, 2)
        .initializer("zero", ZERO)
        .node("If", List.of("p"), List.of("a"), wider("x"))
        .node("If", List.of("q"), List.of("b"), wider("a"))
        .node("Shape", List.of("b"), List.of("y"))
        .output("y", DType.INT64, "r");
  }

  private static Map<String, Message> wider(String x) {
    return Map.of(
        "then_branch", branch("Unsqueeze", List.of(x, "zero"), Map.of()),
        "else_branch", branch("Neg", List.of(x), Map.of()));
  }

  @Test
  void copiesAreChoicesThemselves() {
    Tensor x = floats(1, 2);
    assertThat(Runs.tensor(twice(), bool(false), bool(false), x)).isEqualTo("int64[1] [2]");
    assertThat(Runs.tensor(twice(), bool(true), bool(false), x)).isEqualTo("int64[2] [1, 2]");
    assertThat(Runs.tensor(twice(), bool(false), bool(true), x)).isEqualTo("int64[2] [1, 2]");
    assertThat(Runs.tensor(twice(), bool(true), bool(true), x)).isEqualTo("int64[3] [1, 1, 2]");
  }

  private static Message pair(String operator, List<String> inputs) {
    return OnnxModels.subgraph()
        .node("Identity", List.of("x"), List.of("first"))
        .node(operator, inputs, List.of("second"))
        .output("first", DType.FLOAT32)
        .output("second", DType.FLOAT32)
        .graph();
  }

  private static Map<String, Message> pairs(String x) {
    return Map.of(
        "then_branch",
        pair("Unsqueeze", List.of(x, "zero")),
        "else_branch",
        pair("Neg", List.of(x)));
  }

  @Test
  void choicesWhoseFirstOutputsAreAbsentAreToldApart() {
    OnnxModels model =
        new OnnxModels(13)
            .input("p", DType.BOOL)
            .input("q", DType.BOOL)
            .input("x", DType.FLOAT32, 2)
            .initializer("zero", ZERO)
            .node("If", List.of("p"), List.of("", "a"), pairs("x"))
            .node("If", List.of("q"), List.of("", "b"), pairs("a"))
            .node("Shape", List.of("b"), List.of("y"))
            .output("y", DType.INT64, "r");
    Tensor x = floats(1, 2);
    assertThat(Runs.tensor(model, bool(false), bool(true), x)).isEqualTo("int64[2] [1, 2]");
    assertThat(Runs.tensor(model, bool(true), bool(false), x)).isEqualTo("int64[2] [1, 2]");
    assertThat(Runs.tensor(model, bool(true), bool(true), x)).isEqualTo("int64[3] [1, 1, 2]");
  }

  @Test
  void tooManyCopiesAreRefused() {
    assertThat(
            Runs.tensor(
                twice().model(),
                OnnxOptions.DEFAULT.withMaxCopies(4),
                bool(true),
                bool(true),
                floats(1, 2)))
        .isEqualTo("int64[3] [1, 1, 2]");
    assertThatThrownBy(
            () ->
                squeezed("n")
                    .output("y", DType.FLOAT32)
                    .model()
                    .toRelax(OnnxOptions.DEFAULT.withMaxCopies(1)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            test.onnx cannot be imported: 1 problem in 6 nodes
              1 x If (13), at If of 'y': the branches of 'If of 'y'' give different numbers of axes, \
            and what follows would be copied more than 1 times
                what to do: bind the extents that decide it (--bind n=...), or allow more copies\
            """);
  }

  /** The choice between ranks is inside of a branch. */
  @Test
  void aChoiceInsideOfABranchSplitsWhatFollowsTheOuterOne() {
    Message inner =
        OnnxModels.subgraph()
            .node("If", List.of("q"), List.of("result"), wider("x"))
            .output("result", DType.FLOAT32)
            .graph();
    OnnxModels model =
        new OnnxModels(13)
            .input("p", DType.BOOL)
            .input("q", DType.BOOL)
            .input("x", DType.FLOAT32, 2)
            .initializer("zero", ZERO)
            .node(
                "If",
                List.of("p"),
                List.of("a"),
                Map.of("then_branch", inner, "else_branch", branch("Exp", List.of("x"), Map.of())))
            .node("Shape", List.of("a"), List.of("y"))
            .output("y", DType.INT64, "r");
    assertThat(Runs.tensor(model, bool(true), bool(true), floats(1, 2)))
        .isEqualTo("int64[2] [1, 2]");
    assertThat(Runs.tensor(model, bool(true), bool(false), floats(1, 2))).isEqualTo("int64[1] [2]");
    assertThat(Runs.tensor(model, bool(false), bool(true), floats(1, 2))).isEqualTo("int64[1] [2]");
  }

  @Test
  void branchesMayGiveOtherExtents() {
    Message joined =
        OnnxModels.subgraph()
            .initializer("more", floats(7))
            .node("Concat", List.of("x", "more"), List.of("result"), Map.of("axis", 0))
            .output("result", DType.FLOAT32, "m")
            .graph();
    OnnxModels model =
        new OnnxModels(13)
            .input("p", DType.BOOL, 1)
            .input("x", DType.FLOAT32, "n")
            .node(
                "If",
                List.of("p"),
                List.of("a"),
                Map.of("then_branch", joined, "else_branch", branch("Neg", List.of("x"), Map.of())))
            .node("Add", List.of("a", "a"), List.of("y"))
            .output("y", DType.FLOAT32, "m");
    Tensor yes = Tensor.of(new boolean[] {true}, Shape.of(1));
    Tensor no = Tensor.of(new boolean[] {false}, Shape.of(1));
    assertThat(Runs.tensor(model, yes, floats(1, 2))).isEqualTo("float32[3] [2.0, 4.0, 14.0]");
    assertThat(Runs.tensor(model, no, floats(1, 2))).isEqualTo("float32[2] [-2.0, -4.0]");
  }

  @Test
  void branchesOfOtherDtypesAreRefused() {
    OnnxModels model =
        new OnnxModels(13)
            .input("p", DType.BOOL)
            .input("x", DType.FLOAT32, 2)
            .node(
                "If",
                List.of("p"),
                List.of("y"),
                Map.of(
                    "then_branch", branch("Cast", List.of("x"), Map.of("to", 6)),
                    "else_branch", branch("Neg", List.of("x"), Map.of())))
            .output("y", DType.FLOAT32, 2);
    assertThatThrownBy(() -> model.model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining("a value is of int32 in one case, and of float32 else");
  }
}
