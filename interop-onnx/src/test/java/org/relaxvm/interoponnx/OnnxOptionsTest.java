package org.relaxvm.interoponnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.executable.SourceNodes;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** What a model is specialized to, the listener, and names of nodes. */
class OnnxOptionsTest {
  private static OnnxModels sum() {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, "batch", "columns")
        .input("mask", DType.INT64, "batch")
        .named("/scale", "Add", List.of("x", "x"), List.of("twice"))
        .named("/mask/cast", "Cast", List.of("mask"), List.of("unused"))
        .named("/relu", "Relu", List.of("twice"), List.of("y"))
        .node("Unsqueeze", List.of("mask", "one"), List.of("column"))
        .initializer("one", Tensor.of(new long[] {1}, Shape.of(1)))
        .output("y", DType.FLOAT32, "batch", "columns")
        .output("column", DType.INT64, "batch", 1);
  }

  private static String text(OnnxOptions options) {
    return RelaxText.print(sum().model().toRelax(options));
  }

  private static void refuses(OnnxOptions options, String message) {
    assertThatThrownBy(() -> sum().model().toRelax(options))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message);
  }

  @Test
  void theShapeOfAnInputBindsItsSymbolsInAllInputs() {
    assertThat(text(OnnxOptions.DEFAULT.shape("x", 2, 3)))
        .contains("x: R.Tensor((2, 3), dtype=\"float32\"), mask: R.Tensor((2,), dtype=\"int64\")");
  }

  @Test
  void aShapeAndAnExtentThatDisagreeAreRefused() {
    refuses(
        OnnxOptions.DEFAULT.shape("x", 2, 3).bind("batch", 4),
        """
        the extent 'batch' cannot be both 4 and 2, which the shape [2, 3] of the input 'x' says
          what to do: give shapes and extents that agree\
        """);
  }

  @Test
  void whatTheModelDoesNotHaveIsRefused() {
    refuses(
        OnnxOptions.DEFAULT.bind("bach", 1),
        """
        the model has no symbolic extent 'bach'
          got: bach=1
          its symbolic extents: batch, columns
          what to do: name one of them, or give an input a shape\
        """);
    refuses(
        OnnxOptions.DEFAULT.shape("z", 1),
        """
        the model has no input 'z'
          its inputs: x, mask
          what to do: name one of them\
        """);
    refuses(
        OnnxOptions.DEFAULT.shape("x", 1),
        """
        the input 'x' has 2 axes; the shape given for it has 1
          expected: [batch, columns]
          got: [1]\
        """);
    refuses(
        OnnxOptions.DEFAULT.withOutputs(List.of("z")),
        """
        the model has no value 'z' that could be an output
          its outputs: y, column
          what to do: name outputs, or results of nodes\
        """);
    refuses(
        OnnxOptions.DEFAULT.value("mask", Tensor.of(new float[] {1}, Shape.of(1))),
        """
        the value for the input 'mask' is not of its type
          expected: int64[batch]
          got: float32[1]\
        """);
  }

  private static void isMalformed(ThrowingCallable option, String message) {
    assertThatThrownBy(option)
        .isInstanceOf(CallException.class)
        .hasMessage("malformed option: " + message + "; expected 0 or more");
  }

  @Test
  void negativeNumbersAreRefused() {
    OnnxOptions options = OnnxOptions.DEFAULT;
    isMalformed(() -> options.bind("batch", -1), "the extent 'batch' is -1");
    isMalformed(() -> options.shape("x", 2, -3), "axis 1 of the input 'x' is -3");
    isMalformed(() -> options.withMaxUnroll(-1), "maxUnroll is -1");
    isMalformed(() -> options.withMaxCopies(-2), "maxCopies is -2");
    assertThat(options.bind("batch", 0).shape("x", 0, 1).withMaxUnroll(0).maxUnroll()).isZero();
  }

  @Test
  void theListenerIsToldOfNodesAndPasses() {
    List<String> reports = new ArrayList<>();
    sum()
        .model()
        .compile(
            OnnxOptions.DEFAULT.withProgress(
                (work, done, total) -> reports.add(work + " " + done + "/" + total)));
    int passes = reports.size() - 3;
    assertThat(passes).isGreaterThan(10);
    assertThat(reports)
        .startsWith("importing 1/4", "importing 2/4", "importing 3/4", "compiling 1/" + passes)
        .endsWith("compiling " + passes + "/" + passes);
  }

  @Test
  void instructionsKnowTheirNodes() {
    Program program = sum().model().compile(OnnxOptions.DEFAULT);
    assertThat(program.metadata().sourceNodes().ranges())
        .extracting(SourceNodes.Range::nodes)
        .contains(List.of("/scale", "/relu"), List.of("Unsqueeze of 'column'"));
  }

  @Test
  void anErrorAtRunTimeNamesTheNode() {
    OnnxModel model =
        new OnnxModels(13)
            .input("a", DType.FLOAT32, "n")
            .input("b", DType.FLOAT32, "m")
            .named("/join", "Add", List.of("a", "b"), List.of("y"))
            .output("y", DType.FLOAT32, "n")
            .model();
    Tensor two = Tensor.zeros(DType.FLOAT32, Shape.of(2));
    Tensor three = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    try (VirtualMachine vm =
        VirtualMachine.builder(model.compile(OnnxOptions.DEFAULT)).device("cpu:0").build()) {
      assertThatThrownBy(() -> vm.function("main").call(two, three))
          .isInstanceOfSatisfying(
              CallException.class,
              error ->
                  assertThat(error.locations())
                      .singleElement()
                      .asString()
                      .startsWith("function main, pc ")
                      .endsWith(", node /join"));
    }
  }

  @Test
  void settingsAreOptionsAsText() {
    OnnxOptions options =
        OnnxSettings.of(
            sum().model(),
            LoadOptions.DEFAULT
                .withSetting("bind", "batch=1")
                .withSetting("shape", "x=1x3")
                .withSetting("value", "mask=[7]")
                .withSetting("outputs", "y,twice"));
    assertThat(options.extents()).isEqualTo(Map.of("batch", 1L));
    assertThat(options.shapes()).isEqualTo(Map.of("x", List.of(1L, 3L)));
    assertThat(Objects.requireNonNull(options.values().get("mask")).toLongArray())
        .containsExactly(7);
    assertThat(options.outputs()).containsExactly("y", "twice");
    assertThatThrownBy(
            () -> OnnxSettings.of(sum().model(), LoadOptions.DEFAULT.withSetting("shape", "x=1,3")))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            """
            malformed value of the option 'shape'
              expected: INPUT=SHAPE, such as x=1x3x224x224; x= for a shape without axes
              got: x=1,3\
            """);
  }
}
