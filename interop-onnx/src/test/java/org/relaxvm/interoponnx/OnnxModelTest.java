package org.relaxvm.interoponnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Models as a whole: symbols, shapes, order of nodes, reports. */
class OnnxModelTest {
  private static float[] run(OnnxModel model, OnnxOptions options, Object... inputs) {
    try (VirtualMachine vm =
            VirtualMachine.builder(model.compile(options)).device("cpu:0").build();
        Tensor result = vm.function("main").call(inputs).asTensor()) {
      return result.toFloatArray();
    }
  }

  private static OnnxModels halved() {
    // y = reshape(x, [shape(x)[0], shape(x)[1] / 2, 2])
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, "batch", "2*half")
        .input("like", DType.FLOAT32, "half")
        .initializer("one", Tensor.scalar(1L))
        .initializer("two", Tensor.of(new long[] {2}, Shape.of(1)))
        .initializer("zero", Tensor.scalar(0L))
        .initializer("axes", Tensor.of(new long[] {0}, Shape.of(1)))
        .node("Reshape", List.of("x", "target"), List.of("y"))
        .node("Concat", List.of("rows", "halves", "two"), List.of("target"), Map.of("axis", 0))
        .node("Shape", List.of("x"), List.of("shape"))
        .node("Gather", List.of("shape", "zero"), List.of("row"))
        .node("Unsqueeze", List.of("row", "axes"), List.of("rows"))
        .node("Gather", List.of("shape", "one"), List.of("column"))
        .node("Unsqueeze", List.of("column", "axes"), List.of("columns"))
        .node("Div", List.of("columns", "two"), List.of("halves"))
        .output("y", DType.FLOAT32, "batch", "half", 2);
  }

  @Test
  void arithmeticOnShapesDisappears() {
    String text = RelaxText.print(halved().model().toRelax(OnnxOptions.DEFAULT));
    assertThat(text).contains("R.reshape").doesNotContain("R.divide").doesNotContain("R.concat");
  }

  @Test
  void nodesNeedNotBeInOrder() {
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(1, 4));
    Tensor like = Tensor.zeros(DType.FLOAT32, Shape.of(2));
    assertThat(run(halved().model(), OnnxOptions.DEFAULT, x, like)).containsExactly(1, 2, 3, 4);
  }

  @Test
  void anExtentIsBound() {
    String text =
        RelaxText.print(
            halved().model().toRelax(OnnxOptions.DEFAULT.bind("batch", 3).bind("half", 2)));
    assertThat(text).contains("R.Tensor((3, 4), dtype=\"float32\")").doesNotContain("batch");
  }

  @Test
  void extentsThatMayBroadcastAreTakenToBeEqual() {
    OnnxModel model =
        new OnnxModels(13)
            .input("a", DType.FLOAT32, "n")
            .input("b", DType.FLOAT32, "m")
            .node("Add", List.of("a", "b"), List.of("y"))
            .output("y", DType.FLOAT32, "n")
            .model();
    Tensor two = Tensor.of(new float[] {1, 2}, Shape.of(2));
    assertThat(run(model, OnnxOptions.DEFAULT, two, two)).containsExactly(2, 4);
    Tensor three = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    assertThatThrownBy(() -> run(model, OnnxOptions.DEFAULT, two, three))
        .hasMessageContaining("3")
        .hasMessageContaining("2");
  }

  @Test
  void aNewerOpsetIsReadAsTheNewestKnownOneWithAWarning() {
    OnnxModel model =
        new OnnxModels(31)
            .input("x", DType.FLOAT32, 2)
            .node("Neg", List.of("x"), List.of("y"))
            .output("y", DType.FLOAT32, 2)
            .model();
    assertThat(model.check(OnnxOptions.DEFAULT).findings())
        .containsExactly(
            new OnnxFinding(
                OnnxFinding.Severity.WARNING,
                "",
                "",
                "opset 31 is newer than 28: operators are read as in 28",
                "compare the results, or export the model with opset 28"));
    Tensor two = Tensor.of(new float[] {1, 2}, Shape.of(2));
    assertThat(run(model, OnnxOptions.DEFAULT, two)).containsExactly(-1, -2);
  }

  @Test
  void anIndexOutsideOfItsTensorIsAnError() {
    OnnxModel model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, "n")
            .input("i", DType.INT64, 1)
            .node("Gather", List.of("x", "i"), List.of("y"))
            .output("y", DType.FLOAT32, 1)
            .model();
    Tensor two = Tensor.of(new float[] {1, 2}, Shape.of(2));
    Tensor far = Tensor.of(new long[] {1L << 40}, Shape.of(1));
    assertThatThrownBy(() -> run(model, OnnxOptions.DEFAULT, two, far))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("index")
        .message()
        .doesNotContain("IndexOutOfBoundsException");
  }

  @Test
  void allThatIsNotSupportedIsReportedAtOnce() {
    OnnxModel model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 2)
            .node("Nonsense", List.of("x"), List.of("a"))
            .node("Add", List.of("a", "x"), List.of("b"))
            .node("com.example", "Other", List.of("x"), List.of("c"), Map.of())
            .node("Add", List.of("b", "c"), List.of("y"))
            .output("y", DType.FLOAT32, 2)
            .model();
    assertThatThrownBy(() -> model.toRelax(OnnxOptions.DEFAULT))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            test.onnx cannot be imported: 2 problems in 4 nodes
              1 x Nonsense (13), at Nonsense of 'a': the operator is not supported
                what to do: export the model without it, or name outputs that do not need it \
            (--outputs A,B)
              1 x com.example.Other (1), at Other of 'c': the operator is not supported
                what to do: add a jar with an OnnxOperatorProvider of it, or export the model \
            without it, or name outputs that do not need it (--outputs A,B)\
            """);
  }

  private static List<OnnxFinding> errors(OnnxModels model) {
    return model.model().check(OnnxOptions.DEFAULT).of(OnnxFinding.Severity.ERROR);
  }

  @Test
  void operandsAndAttributesThatDoNotFitAreFindings() {
    OnnxModels old =
        new OnnxModels(5)
            .input("x", DType.FLOAT32, 2)
            .node("Cast", List.of("x"), List.of("y"), Map.of("to", "NUMBER"))
            .output("y", DType.FLOAT32, 2);
    assertThat(errors(old))
        .extracting(OnnxFinding::problem)
        .containsExactly("a cast to 'NUMBER' is not supported");
    String microsoft = "com.microsoft";
    long far = 1L << 40;
    OnnxModels model =
        new OnnxModels(26)
            .opset(microsoft, 1)
            .input("s", OnnxModels.tensorType(ElementType.STRING))
            .input("x", DType.FLOAT32, 1, 2, 2, 2)
            .input("i", DType.INT64, 1, 1)
            .input("q", DType.UINT8, 2, 2)
            .input("c", DType.FLOAT32, 2)
            .initializer("one", Tensor.scalar(1f))
            .initializer("zero", Tensor.of(new byte[1], DType.UINT8, Shape.of()))
            .node("BitCast", List.of("s"), List.of("y1"), Map.of("to", 1))
            .node("QuantizeLinear", List.of("x", "one", "s"), List.of("y2"))
            .node(
                "QLinearMatMul",
                List.of("q", "one", "zero", "q", "one", "zero", "one", "s"),
                List.of("y3"))
            .node(
                microsoft,
                "QLinearSigmoid",
                List.of("q", "one", "zero", "one", "s"),
                List.of("y4"),
                Map.of())
            .node(microsoft, "Range", List.of("s", "one"), List.of("y5"), Map.of())
            .node("GatherND", List.of("x", "i"), List.of("y6"), Map.of("batch_dims", far))
            .node(
                microsoft,
                "GroupNorm",
                List.of("x", "c", "c"),
                List.of("y7"),
                Map.of("groups", far, "channels_last", 1));
    for (int i = 1; i <= 7; i++) {
      model.output("y" + i, DType.FLOAT32);
    }
    String dtype = "the dtype of an input is needed; it is unknown, or strings";
    assertThat(errors(model))
        .extracting(OnnxFinding::problem)
        .containsExactly(
            dtype,
            dtype,
            dtype,
            dtype,
            dtype,
            "the attribute 'batch_dims' is 1099511627776; expected an integer of 32 bits",
            "the attribute 'groups' is 1099511627776; expected an integer of 32 bits");
  }

  private static Message external(String name, String location, long... dims) {
    OnnxMessages.Builder tensor =
        OnnxMessages.builder("TensorProto")
            .set("name", name)
            .set("data_type", ElementType.INT64.number())
            .set("data_location", 1)
            .add(
                "external_data",
                OnnxMessages.builder("StringStringEntryProto")
                    .set("key", "location")
                    .set("value", location)
                    .build());
    for (long dim : dims) {
      tensor.add("dims", dim);
    }
    return tensor.build();
  }

  @Test
  void allFilesThatAreMissingAreOneFindingBesideTheOthers() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.INT64, 2000)
            .initializer(external("w", "w.bin", 2000))
            .initializer(external("shape", "shape.bin", 2))
            .initializer(external("unused", "unused.bin", 2))
            .node("Add", List.of("x", "w"), List.of("a"))
            .node("Reshape", List.of("a", "shape"), List.of("y"))
            .node("Constant", List.of(), List.of("c"), Map.of("value", external("", "c.bin", 1)))
            .node("Nonsense", List.of("a"), List.of("b"))
            .output("y", DType.INT64, 2, 1000)
            .output("b", DType.INT64, 2000)
            .output("c", DType.INT64, 1)
            .output("x", DType.INT64, 2000);
    assertThat(errors(model))
        .extracting(OnnxFinding::problem, OnnxFinding::remedy)
        .contains(
            tuple(
                "4 external files not found beside test.onnx: c.bin, shape.bin, unused.bin, w.bin",
                "put all files of the model into one folder"))
        .hasSize(2);
    OnnxOptions without = OnnxOptions.DEFAULT.withOutputs(List.of("x"));
    assertThat(model.model().check(without).isSupported()).isTrue();
  }

  @Test
  void anOutputThatAnOperatorDoesNotGiveIsAFindingWhereItIsUsed() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 2)
            .node("Relu", List.of("x"), List.of("y", "second"))
            .node("Neg", List.of("second"), List.of("z"))
            .output("y", DType.FLOAT32, 2);
    assertThat(errors(model)).isEmpty();
    assertThat(errors(model.output("second", DType.FLOAT32, 2).output("z", DType.FLOAT32, 2)))
        .extracting(OnnxFinding::operator, OnnxFinding::node, OnnxFinding::problem)
        .containsExactly(tuple("Relu (13)", "Relu of 'y'", "it does not give the output 'second'"));
  }

  @Test
  void valuesThatNothingMakesAreFindings() {
    OnnxModels model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 2)
            .node("Add", List.of("x", "none"), List.of("a"))
            .node("Nonsense", List.of("x"), List.of("b"))
            .output("a", DType.FLOAT32, 2)
            .output("b", DType.FLOAT32, 2)
            .output("c", DType.FLOAT32, 2);
    assertThat(errors(model))
        .extracting(OnnxFinding::node, OnnxFinding::problem)
        .containsExactly(
            tuple("Add of 'a'", "nothing makes its input 'none'"),
            tuple("Nonsense of 'b'", "the operator is not supported"),
            tuple("", "nothing makes the output 'c'"));
  }

  @Test
  void valuesThatNeedThemselvesAreRefused() {
    OnnxModel model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 2)
            .node("Add", List.of("x", "b"), List.of("a"))
            .node("Add", List.of("a", "x"), List.of("b"))
            .output("b", DType.FLOAT32, 2)
            .model();
    assertThatThrownBy(() -> model.toRelax(OnnxOptions.DEFAULT))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageContaining("nodes need each other");
  }

  @Test
  void modelsInOtherFormsAreRefusedWithWhatToDo(@TempDir Path folder) throws IOException {
    Path text = Files.writeString(folder.resolve("text.onnx"), "\nir_version: 8\n");
    assertThatThrownBy(() -> OnnxModel.open(text))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            text
                + " is an ONNX model as text\n"
                + "  what to do: convert it with onnx.parser or protoc");
    Path ort = Files.writeString(folder.resolve("model.ort"), "\u0010\0\0\0ORTM");
    assertThatThrownBy(() -> OnnxModel.open(ort))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            ort
                + " is in ONNX Runtime's own format\n"
                + "  what to do: use the .onnx file that it was made from");
  }

  @Test
  void namesAreThoseOfTheModel() {
    OnnxModel model =
        new OnnxModels(13)
            .input("x:0/in put", DType.FLOAT32, "n")
            .input("1", DType.FLOAT32, "n")
            .node("Sub", List.of("x:0/in put", "1"), List.of("\"y\""))
            .output("\"y\"", DType.FLOAT32, "n")
            .model();
    Tensor one = Tensor.of(new float[] {1}, Shape.of(1));
    Tensor five = Tensor.of(new float[] {5}, Shape.of(1));
    try (VirtualMachine vm =
            VirtualMachine.builder(model.compile(OnnxOptions.DEFAULT)).device("cpu:0").build();
        Results results = vm.function("main").call(Map.of("1", one, "x:0/in put", five))) {
      assertThat(results.tensor("\"y\"").toFloatArray()).containsExactly(4);
    }
  }

  @Test
  void aValueInsideIsAnOutput() {
    OnnxModel model =
        new OnnxModels(13)
            .input("x", DType.FLOAT32, 2)
            .node("Neg", List.of("x"), List.of("a"))
            .node("Nonsense", List.of("a"), List.of("y"))
            .output("y", DType.FLOAT32, 2)
            .model();
    Tensor x = Tensor.of(new float[] {1, -2}, Shape.of(2));
    assertThat(run(model, OnnxOptions.DEFAULT.withOutputs(List.of("a")), x)).containsExactly(-1, 2);
  }
}
