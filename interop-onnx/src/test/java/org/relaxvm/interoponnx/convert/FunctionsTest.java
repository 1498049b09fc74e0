package org.relaxvm.interoponnx.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxMessages;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.Runs;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Functions that a model brings along. */
class FunctionsTest {
  private static final String DOMAIN = "com.example";

  private static OnnxMessages.Builder function(String name, String... inputs) {
    return OnnxMessages.builder("FunctionProto")
        .set("name", name)
        .set("domain", DOMAIN)
        .add("input", (Object[]) inputs)
        .add("output", "y");
  }

  private static OnnxMessages.Builder opset(
      OnnxMessages.Builder function, String domain, long version) {
    return function.add(
        "opset_import",
        OnnxMessages.builder("OperatorSetIdProto")
            .set("domain", domain)
            .set("version", version)
            .build());
  }

  private static Message node(
      String domain, String operator, List<String> inputs, String output, Message... attributes) {
    return OnnxMessages.builder("NodeProto")
        .set("op_type", operator)
        .set("domain", domain)
        .add("input", inputs.toArray())
        .add("output", output)
        .add("attribute", (Object[]) attributes)
        .build();
  }

  /** An attribute whose value is one of the function around it. */
  private static Message reference(String name, int type, String refersTo) {
    return OnnxMessages.builder("AttributeProto")
        .set("name", name)
        .set("type", type)
        .set("ref_attr_name", refersTo)
        .build();
  }

  private static OnnxModels model() {
    return new OnnxModels(13).opset(DOMAIN, 1).input("x", DType.FLOAT32, 2, 2);
  }

  /** {@code y = leaky_relu(x, alpha = slope)}, whose slope is 0.5 where it is not given. */
  private static Message leaky() {
    return opset(function("Leaky", "x"), "", 16)
        .add("attribute_proto", OnnxModels.attribute("slope", 0.5f))
        .add("node", node("", "LeakyRelu", List.of("x"), "y", reference("alpha", 1, "slope")))
        .build();
  }

  private static Tensor square(float... values) {
    return Tensor.of(values, Shape.of(2, 2));
  }

  @Test
  void attributesAreThoseOfTheCallOrTheirDefaults() {
    OnnxModels model =
        model()
            .function(leaky())
            .node(DOMAIN, "Leaky", List.of("x"), List.of("a"), Map.of())
            .node(DOMAIN, "Leaky", List.of("x"), List.of("b"), Map.of("slope", 0.25f))
            .output("a", DType.FLOAT32, 2, 2)
            .output("b", DType.FLOAT32, 2, 2);
    assertThat(Runs.all(model, square(-4, 1, 2, 3)))
        .isEqualTo("(float32[2, 2] [-2.0, 1.0, 2.0, 3.0], float32[2, 2] [-1.0, 1.0, 2.0, 3.0])");
  }

  @Test
  void aReferenceToAnAttributeThatNobodyGivesIsNone() {
    Message flat =
        opset(function("Flat", "x"), "", 13)
            .add("attribute", "from")
            .add("node", node("", "Flatten", List.of("x"), "y", reference("axis", 2, "from")))
            .build();
    OnnxModels model =
        model()
            .function(flat)
            .node(DOMAIN, "Flat", List.of("x"), List.of("a"), Map.of())
            .node(DOMAIN, "Flat", List.of("x"), List.of("b"), Map.of("from", 0))
            .output("a", DType.FLOAT32, 2, 2)
            .output("b", DType.FLOAT32, 1, 4);
    assertThat(Runs.all(model, square(1, 2, 3, 4)))
        .isEqualTo("(float32[2, 2] [1.0, 2.0, 3.0, 4.0], float32[1, 4] [1.0, 2.0, 3.0, 4.0])");
  }

  @Test
  void callsOfOneFunctionHaveRandomNumbersOfTheirOwn() {
    List<String> inputs = List.of("x", "ratio", "trains");
    Message drop =
        opset(function("Drop", inputs.toArray(String[]::new)), "", 13)
            .add("node", node("", "Dropout", inputs, "y"))
            .build();
    OnnxModels model =
        new OnnxModels(13)
            .opset(DOMAIN, 1)
            .function(drop)
            .input("x", DType.FLOAT32, 100)
            .initializer("ratio", Tensor.scalar(0.5f))
            .initializer("trains", Tensor.of(new boolean[] {true}, Shape.of()))
            .node(DOMAIN, "Drop", inputs, List.of("a"), Map.of())
            .node(DOMAIN, "Drop", inputs, List.of("b"), Map.of())
            .node("Sub", List.of("a", "b"), List.of("difference"))
            .output("difference", DType.FLOAT32, 100);
    float[] ones = new float[100];
    Arrays.fill(ones, 1);
    assertThat(Runs.tensor(model, Tensor.of(ones, Shape.of(100)))).contains("-2.0", " 2.0");
  }

  @Test
  void functionsCallOthersAndPassAttributesOn() {
    Message outer =
        opset(opset(function("Outer", "x"), DOMAIN, 1), "", 13)
            .add("attribute", "s")
            .add("node", node(DOMAIN, "Leaky", List.of("x"), "h", reference("slope", 1, "s")))
            .add("node", node("", "Neg", List.of("h"), "y"))
            .build();
    OnnxModels model =
        model()
            .function(outer)
            .function(leaky())
            .node(DOMAIN, "Outer", List.of("x"), List.of("h"), Map.of("s", 0.25f))
            .node(DOMAIN, "Outer", List.of("x"), List.of("b"), Map.of())
            .output("h", DType.FLOAT32, 2, 2)
            .output("b", DType.FLOAT32, 2, 2);
    assertThat(Runs.all(model, square(-4, 1, 2, 3)))
        .isEqualTo(
            "(float32[2, 2] [1.0, -1.0, -2.0, -3.0], float32[2, 2] [2.0, -1.0, -2.0, -3.0])");
  }

  @Test
  void operatorsHaveTheVersionThatTheFunctionImports() {
    // Axes of Squeeze are an attribute before version 13.
    Message older =
        opset(function("Older", "x"), "", 11)
            .add(
                "node",
                node("", "Squeeze", List.of("x"), "y", OnnxModels.attribute("axes", List.of(0))))
            .build();
    OnnxModels model =
        new OnnxModels(13)
            .opset(DOMAIN, 1)
            .input("x", DType.FLOAT32, 1, 2)
            .function(older)
            .node(DOMAIN, "Older", List.of("x"), List.of("y"), Map.of())
            .output("y", DType.FLOAT32, 2);
    assertThat(Runs.tensor(model, Tensor.of(new float[] {1, 2}, Shape.of(1, 2))))
        .isEqualTo("float32[2] [1.0, 2.0]");
  }

  @Test
  void overloadsAreToldApart() {
    Message minus =
        opset(function("F", "x"), "", 13)
            .set("overload", "minus")
            .add("node", node("", "Neg", List.of("x"), "y"))
            .build();
    Message plain =
        opset(function("F", "x"), "", 13).add("node", node("", "Abs", List.of("x"), "y")).build();
    Message call =
        OnnxMessages.builder("NodeProto")
            .set("op_type", "F")
            .set("domain", DOMAIN)
            .set("overload", "minus")
            .add("input", "x")
            .add("output", "a")
            .build();
    OnnxModels model =
        model()
            .function(plain)
            .function(minus)
            .node(call)
            .node(DOMAIN, "F", List.of("x"), List.of("b"), Map.of())
            .output("a", DType.FLOAT32, 2, 2)
            .output("b", DType.FLOAT32, 2, 2);
    assertThat(Runs.all(model, square(-1, 2, -3, 4)))
        .isEqualTo("(float32[2, 2] [1.0, -2.0, 3.0, -4.0], float32[2, 2] [1.0, 2.0, 3.0, 4.0])");
  }

  @Test
  void inputsMayBeAbsent() {
    Message clipped =
        opset(function("Clipped", "x", "low", "high"), "", 13)
            .add("node", node("", "Clip", List.of("x", "low", "high"), "y"))
            .build();
    OnnxModels model =
        model()
            .initializer("two", Tensor.of(new float[] {2}, Shape.of()))
            .function(clipped)
            .node(DOMAIN, "Clipped", List.of("x", "two"), List.of("a"), Map.of())
            .node(DOMAIN, "Clipped", List.of("x", "", "two"), List.of("b"), Map.of())
            .output("a", DType.FLOAT32, 2, 2)
            .output("b", DType.FLOAT32, 2, 2);
    assertThat(Runs.all(model, square(1, 2, 3, 4)))
        .isEqualTo("(float32[2, 2] [2.0, 2.0, 3.0, 4.0], float32[2, 2] [1.0, 2.0, 2.0, 2.0])");
    OnnxModels tooMany =
        model()
            .function(leaky())
            .node(DOMAIN, "Leaky", List.of("x", "x"), List.of("y"), Map.of())
            .output("y", DType.FLOAT32, 2, 2);
    assertThatThrownBy(() -> tooMany.model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining("the function Leaky has 1 inputs; the node gives 2");
  }

  @Test
  void aFunctionReplacesTheOperatorOfItsName() {
    Message negative =
        opset(function("Gelu", "x"), "", 13)
            .set("domain", "com.microsoft")
            .add("node", node("", "Neg", List.of("x"), "y"))
            .build();
    OnnxModels model =
        model()
            .opset("com.microsoft", 1)
            .function(negative)
            .node("com.microsoft", "Gelu", List.of("x"), List.of("y"), Map.of())
            .output("y", DType.FLOAT32, 2, 2);
    assertThat(Runs.tensor(model, square(1, 2, 3, 4)))
        .isEqualTo("float32[2, 2] [-1.0, -2.0, -3.0, -4.0]");
  }

  /** A branch in a function sees the values and attributes of the function. */
  @Test
  void subgraphsOfFunctionsSeeItsValuesAndAttributes() {
    Message whenTrue =
        OnnxModels.subgraph()
            .node(node("", "LeakyRelu", List.of("x"), "r", reference("alpha", 1, "slope")))
            .output("r", DType.FLOAT32, 2, 2)
            .graph();
    Message whenFalse =
        OnnxModels.subgraph()
            .node("Neg", List.of("x"), List.of("r"))
            .output("r", DType.FLOAT32, 2, 2)
            .graph();
    Message chosen =
        opset(function("Chosen", "c", "x"), "", 16)
            .add("attribute", "slope")
            .add(
                "node",
                node(
                    "",
                    "If",
                    List.of("c"),
                    "y",
                    OnnxModels.attribute("then_branch", whenTrue),
                    OnnxModels.attribute("else_branch", whenFalse)))
            .build();
    OnnxModels model =
        model()
            .input("c", DType.BOOL)
            .function(chosen)
            .node(DOMAIN, "Chosen", List.of("c", "x"), List.of("y"), Map.of("slope", 0.5f))
            .output("y", DType.FLOAT32, 2, 2);
    Tensor yes = Tensor.of(new boolean[] {true}, Shape.of());
    Tensor no = Tensor.of(new boolean[] {false}, Shape.of());
    assertThat(Runs.tensor(model, square(-2, 1, 1, 1), yes))
        .isEqualTo("float32[2, 2] [-1.0, 1.0, 1.0, 1.0]");
    assertThat(Runs.tensor(model, square(-2, 1, 1, 1), no))
        .isEqualTo("float32[2, 2] [2.0, -1.0, -1.0, -1.0]");
  }

  @Test
  void functionsThatCallThemselvesAreRefused() {
    Message a =
        opset(function("A", "x"), DOMAIN, 1)
            .add("node", node(DOMAIN, "B", List.of("x"), "y"))
            .build();
    Message b =
        opset(function("B", "x"), DOMAIN, 1)
            .add("node", node(DOMAIN, "A", List.of("x"), "y"))
            .build();
    OnnxModels model =
        model()
            .function(a)
            .function(b)
            .node(DOMAIN, "A", List.of("x"), List.of("y"), Map.of())
            .output("y", DType.FLOAT32, 2, 2);
    assertThatThrownBy(() -> model.model().toRelax(OnnxOptions.DEFAULT))
        .hasMessageContaining(
            "com.example.A (1), at A of 'y'/B of 'y'/A of 'y': the function A calls itself");
  }
}
