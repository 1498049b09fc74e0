package org.relaxvm.interoponnx.operator.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Sequences and optional values, known while a model is imported and at run time only. */
class SequencesTest {
  private static final Message VECTOR = OnnxModels.tensorType(DType.FLOAT32, "n");

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  private static Tensor number(long value) {
    return Tensor.scalar(value);
  }

  /** A sequence as a graph input, or made of inputs. */
  private static OnnxModels sequence(boolean isInput) {
    return isInput
        ? new OnnxModels(13).input("s", OnnxModels.sequenceType(VECTOR))
        : new OnnxModels(13)
            .input("a", DType.FLOAT32, "n")
            .input("b", DType.FLOAT32, "m")
            .node("SequenceConstruct", List.of("a", "b"), List.of("s"));
  }

  private static Object[] inputs(boolean isInput, Tensor a, Tensor b, Object... more) {
    Object[] inputs = new Object[(isInput ? 1 : 2) + more.length];
    inputs[0] = isInput ? Tuple.of(a, b) : a;
    if (!isInput) {
      inputs[1] = b;
    }
    System.arraycopy(more, 0, inputs, inputs.length - more.length, more.length);
    return inputs;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void elementsAreInsertedErasedAndRead(boolean isInput) {
    OnnxModels model =
        sequence(isInput)
            .input("at", DType.INT64)
            .initializer("last", number(-1))
            .initializer("c", floats(7))
            .node("SequenceInsert", List.of("s", "c", "last"), List.of("longer"))
            .node("SequenceErase", List.of("longer", "at"), List.of("shorter"))
            .node("SequenceErase", List.of("longer"), List.of("front"))
            .node("SequenceLength", List.of("shorter"), List.of("length"))
            .node("SequenceAt", List.of("longer", "at"), List.of("element"))
            .node("Add", List.of("element", "element"), List.of("twice"))
            .output("shorter", OnnxModels.sequenceType(VECTOR))
            .output("front", OnnxModels.sequenceType(VECTOR))
            .output("length", DType.INT64)
            .output("twice", DType.FLOAT32, "k");
    assertThat(Runs.all(model, inputs(isInput, floats(1, 2), floats(3), number(0))))
        .isEqualTo(
            "((float32[1] [7.0], float32[1] [3.0]), (float32[2] [1.0, 2.0], float32[1] [7.0]),"
                + " int64[] [2], float32[2] [2.0, 4.0])");
    assertThat(Runs.all(model, inputs(isInput, floats(1, 2), floats(3), number(-1))))
        .isEqualTo(
            "((float32[2] [1.0, 2.0], float32[1] [7.0]), (float32[2] [1.0, 2.0], float32[1] [7.0]),"
                + " int64[] [2], float32[1] [6.0])");
    assertThatThrownBy(() -> Runs.all(model, inputs(isInput, floats(1), floats(3), number(3))))
        .isInstanceOf(RelaxException.class)
        .hasMessageContaining("no element can be erased at 3 of a list of 3");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tensorsOfASequenceAreJoined(boolean isInput) {
    OnnxModels joined =
        sequence(isInput)
            .node("ConcatFromSequence", List.of("s"), List.of("y"), Map.of("axis", 0))
            .output("y", DType.FLOAT32, "k");
    assertThat(Runs.tensor(joined, inputs(isInput, floats(1, 2), floats(3))))
        .isEqualTo("float32[3] [1.0, 2.0, 3.0]");
    OnnxModels stacked =
        sequence(isInput)
            .node(
                "ConcatFromSequence", List.of("s"), List.of("y"), Map.of("axis", -1, "new_axis", 1))
            .output("y", DType.FLOAT32, "k", 2);
    assertThat(Runs.tensor(stacked, inputs(isInput, floats(1, 2), floats(3, 4))))
        .isEqualTo("float32[2, 2] [1.0, 3.0, 2.0, 4.0]");
  }

  private static OnnxModels split(Object extent, Map<String, ?> attributes, String... sizes) {
    OnnxModels model = new OnnxModels(13).input("x", DType.FLOAT32, extent);
    List<String> inputs = sizes.length == 0 ? List.of("x") : List.of("x", sizes[0]);
    return model
        .node("SplitToSequence", inputs, List.of("y"), attributes)
        .output("y", OnnxModels.sequenceType(VECTOR));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 2})
  void sizesOfPartsAreThoseOfTheWholeExtent(long last) {
    Tensor x = floats(1, 2, 3, 4, 5);
    Tensor sizes = Tensor.of(new long[] {4, last}, Shape.of(2));
    OnnxModels constant = split(5, Map.of(), "size").initializer("size", sizes);
    assertThatThrownBy(() -> Runs.all(constant, x))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("parts of sizes [4, " + last + "] are asked for along axis 0")
        .hasMessageContaining("with the sum 5");
    for (Object count : List.of(2, "k")) {
      OnnxModels computed = split("n", Map.of(), "size").input("size", DType.INT64, count);
      assertThatThrownBy(() -> Runs.all(computed, x, sizes)).isInstanceOf(CallException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tensorsAreSplit(boolean isKnown) {
    Object extent = isKnown ? 5 : "n";
    Tensor x = floats(1, 2, 3, 4, 5);
    assertThat(Runs.all(split(extent, Map.of("keepdims", 0)), x))
        .isEqualTo(
            "(float32[] [1.0], float32[] [2.0], float32[] [3.0], float32[] [4.0], float32[]"
                + " [5.0])");
    // Parts of a given size keep the axis.
    String pairs = "(float32[2] [1.0, 2.0], float32[2] [3.0, 4.0], float32[1] [5.0])";
    assertThat(
            Runs.all(
                split(extent, Map.of("keepdims", 0), "size").initializer("size", number(2)), x))
        .isEqualTo(pairs);
    assertThat(Runs.all(split(extent, Map.of(), "size").input("size", DType.INT64), x, number(2)))
        .isEqualTo(pairs);
    Tensor sizes = Tensor.of(new long[] {4, 0, 1}, Shape.of(3));
    String parts = "(float32[4] [1.0, 2.0, 3.0, 4.0], float32[0] [], float32[1] [5.0])";
    for (Object count : new Object[] {3, "k"}) {
      assertThat(
              Runs.all(
                  split(extent, Map.of(), "sizes").input("sizes", DType.INT64, count), x, sizes))
          .isEqualTo(parts);
    }
  }

  @Test
  void aSequenceGrowsInALoop() {
    Message body =
        OnnxModels.subgraph()
            .input("i", DType.INT64)
            .input("going", DType.BOOL)
            .input("list", OnnxModels.sequenceType(VECTOR))
            .node("Concat", List.of("x", "x"), List.of("two"), Map.of("axis", 0))
            .node("SequenceInsert", List.of("list", "two"), List.of("longer"))
            .node("Identity", List.of("going"), List.of("goes"))
            .output("goes", DType.BOOL)
            .output("longer", OnnxModels.sequenceType(VECTOR))
            .graph();
    OnnxModels model =
        new OnnxModels(13)
            .input("count", DType.INT64)
            .input("x", DType.FLOAT32, "n")
            .node("SequenceEmpty", List.of(), List.of("none"))
            .node("Loop", List.of("count", "", "none"), List.of("list"), Map.of("body", body))
            .node("ConcatFromSequence", List.of("list"), List.of("y"), Map.of("axis", 0))
            .output("y", DType.FLOAT32, "m");
    assertThat(Runs.tensor(model, number(2), floats(5)))
        .isEqualTo("float32[4] [5.0, 5.0, 5.0, 5.0]");
    assertThatThrownBy(() -> Runs.tensor(model, number(0), floats(5)))
        .hasMessageContaining("a list without tensors cannot be joined to one");
  }

  @Test
  void aSubgraphIsAppliedToKnownElements() {
    Message body =
        OnnxModels.subgraph()
            .input("e", DType.FLOAT32, "k")
            .input("t", DType.FLOAT32, 1)
            .node("Mul", List.of("e", "t"), List.of("scaled"))
            .node("Shape", List.of("e"), List.of("shape"))
            .output("scaled", DType.FLOAT32, "k")
            .output("shape", DType.INT64, 1)
            .graph();
    for (boolean isInput : new boolean[] {false, true}) {
      OnnxModels model =
          new OnnxModels(17)
              .input("t", DType.FLOAT32, 1)
              .input("a", DType.FLOAT32, "n")
              .input("list", OnnxModels.sequenceType(VECTOR))
              .node("SequenceConstruct", List.of("a"), List.of("known"))
              .node(
                  "SequenceMap",
                  List.of(isInput ? "list" : "known", "t"),
                  List.of("y", "shapes"),
                  Map.of("body", body))
              .output("y", OnnxModels.sequenceType(VECTOR))
              .output("shapes", OnnxModels.sequenceType(OnnxModels.tensorType(DType.INT64, 1)));
      assertThat(Runs.all(model, floats(3), floats(1, 2), Tuple.of(floats(1, 2))))
          .isEqualTo("((float32[2] [3.0, 6.0]), (int64[1] [2]))");
    }
  }

  // ---------------------------------------------------------------- optional values

  private static OnnxModels presence(Message type) {
    return new OnnxModels(18)
        .input("o", OnnxModels.optionalType(type))
        .node("OptionalHasElement", List.of("o"), List.of("has"));
  }

  @Test
  void anOptionalInputMayBeNull() {
    Message whenThere =
        OnnxModels.subgraph()
            .node("OptionalGetElement", List.of("o"), List.of("there"))
            .node("Neg", List.of("there"), List.of("result"))
            .output("result", DType.FLOAT32, "n")
            .graph();
    Message whenAbsent =
        OnnxModels.subgraph()
            .node("Identity", List.of("none"), List.of("result"))
            .output("result", DType.FLOAT32, 0)
            .graph();
    OnnxModels model =
        presence(VECTOR)
            .initializer("none", floats())
            .node(
                "If",
                List.of("has"),
                List.of("y"),
                Map.of("then_branch", whenThere, "else_branch", whenAbsent))
            .output("has", DType.BOOL)
            .output("y", DType.FLOAT32, "m");
    assertThat(Runs.all(model, floats(1, 2))).isEqualTo("(bool[] [1], float32[2] [-1.0, -2.0])");
    assertThat(Runs.all(model, (Object) null)).isEqualTo("(bool[] [0], float32[0] [])");
  }

  @Test
  void theElementOfAnAbsentValueIsRefused() {
    OnnxModels model =
        new OnnxModels(18)
            .input("o", OnnxModels.optionalType(VECTOR))
            .node("OptionalGetElement", List.of("o"), List.of("y"))
            .output("y", DType.FLOAT32, "n");
    assertThat(Runs.tensor(model, floats(1))).isEqualTo("float32[1] [1.0]");
    assertThatThrownBy(() -> Runs.tensor(model, (Object) null)).isInstanceOf(RelaxException.class);
  }

  @Test
  void presenceThatIsKnownDecidesChoices() {
    Message whenThere =
        OnnxModels.subgraph()
            .node("OptionalGetElement", List.of("o"), List.of("result"))
            .output("result", DType.FLOAT32, "n")
            .graph();
    Message whenAbsent =
        OnnxModels.subgraph()
            .node("OptionalGetElement", List.of("nothing"), List.of("result"))
            .output("result", DType.FLOAT32, "n")
            .graph();
    OnnxModels model =
        new OnnxModels(18)
            .input("x", DType.FLOAT32, "n")
            .node("Optional", List.of("x"), List.of("o"))
            .node("Optional", List.of(), List.of("nothing"))
            .node("OptionalHasElement", List.of("o"), List.of("has"))
            .node(
                "If",
                List.of("has"),
                List.of("y"),
                Map.of("then_branch", whenThere, "else_branch", whenAbsent))
            .output("y", DType.FLOAT32, "n");
    assertThat(RelaxText.print(model.model().toRelax(OnnxOptions.DEFAULT))).doesNotContain("if ");
    assertThat(Runs.tensor(model, floats(4))).isEqualTo("float32[1] [4.0]");
  }
}
