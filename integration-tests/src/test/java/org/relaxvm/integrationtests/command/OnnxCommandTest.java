package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.interoponnx.OnnxModels;

/** The commands that load programs, with ONNX models. */
class OnnxCommandTest {
  @TempDir private Path folder;
  private Path model;
  private Path input;

  @BeforeEach
  void writeModel() throws IOException {
    model = folder.resolve("model.onnx");
    Files.write(model, layer().bytes());
    input = folder.resolve("x.npy");
    Npy.write(input, Tensor.of(new float[] {1, -2, 3, -4}, Shape.of(2, 2)));
  }

  /** {@code y = relu(x * w + shift)}, and {@code sum} along the rows. */
  private static OnnxModels layer() {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, "batch", 2)
        .input("shift", DType.FLOAT32, 2)
        .initializer("w", Tensor.of(new float[] {1, 2}, Shape.of(2)))
        .named("/layer/Mul", "Mul", List.of("x", "w"), List.of("product"))
        .named("/layer/Add", "Add", List.of("product", "shift"), List.of("shifted"))
        .named("/layer/Relu", "Relu", List.of("shifted"), List.of("y"))
        .initializer("axes", Tensor.of(new long[] {1}, Shape.of(1)))
        .named("/sum", "ReduceSum", List.of("y", "axes"), List.of("total"))
        .output("y", DType.FLOAT32, "batch", 2)
        .output("total", DType.FLOAT32, "batch", 1);
  }

  private Path written(String name, OnnxModels content) throws IOException {
    return Files.write(folder.resolve(name), content.bytes());
  }

  private static void succeeds(CommandRun run, String output) {
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(output);
    assertThat(run.code()).isZero();
  }

  private static void fails(CommandRun run, String message) {
    assertThat(run.err()).isEqualTo("relaxvm: error: " + message + "\n");
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(1);
  }

  private String readAsOnnx(Path file) {
    return "\n  at file " + file.toAbsolutePath() + ", read as onnx";
  }

  // ---------------------------------------------------------------- inspect

  @Test
  void inspectShowsWhatAModelConsistsOf() {
    succeeds(
        CommandRun.of("inspect", model),
        """
        ONNX model 'test', IR version 10
        operator sets: ai.onnx 13
        inputs:
          x: float32[batch, 2]
          shift: float32[2]
        outputs:
          y: float32[batch, 2]
          total: float32[batch, 1]
        operators:
               1  Add
               1  Mul
               1  ReduceSum
               1  Relu
        weights: 2 tensors, 16 bytes
        """);
  }

  @Test
  void inspectShowsTheNodesOfTheProgramThatAModelBecomes() {
    CommandRun run = CommandRun.of("inspect", model, "--ir", "--bind", "batch=3");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("x: R.Tensor((3, 2), dtype=\"float32\")")
        .contains(")  # /layer/Mul\n", ")  # /layer/Add\n", ")  # /layer/Relu\n", ")  # /sum\n");
  }

  @Test
  void whatTheStructureOfAModelDoesNotDependOnIsRefused() {
    fails(
        CommandRun.of("inspect", model, "--bind", "batch=3"),
        "--bind is about the program that an ONNX model becomes\n"
            + "  got: --bind batch=3\n"
            + "  what to do: leave it out, or show the program with --ir, --text, --kernels or"
            + " --stats, or what is not supported with --support");
  }

  @Test
  void aSupportedModelIsSaidToBe() {
    succeeds(CommandRun.of("inspect", model, "--support"), "all 4 nodes are supported\n");
  }

  private Path unsupported() throws IOException {
    return written(
        "unsupported.onnx",
        new OnnxModels(13)
            .opset("com.example", 2)
            .input("x", DType.FLOAT32, 2)
            .named("/a", "Nonsense", List.of("x"), List.of("a"))
            .named("/b", "Nonsense", List.of("x"), List.of("b"))
            .node("com.example", "Other", List.of("x"), List.of("c"), Map.of())
            .named("/sum", "Sum", List.of("a", "b", "c"), List.of("y"))
            .output("y", DType.FLOAT32, 2)
            .output("x", DType.FLOAT32, 2));
  }

  private static final String WITHOUT_IT =
      "export the model without it, or name outputs that do not need it (--outputs A,B)\n";

  private static final String REMEDY = "what to do: " + WITHOUT_IT;

  /** Of operators of a domain that is not known. */
  private static final String CUSTOM =
      "what to do: add a jar with an OnnxOperatorProvider of it, or " + WITHOUT_IT;

  @Test
  void allThatIsNotSupportedIsListed() throws IOException {
    CommandRun run = CommandRun.of("inspect", unsupported(), "--support");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            "problems in 4 nodes:\n"
                + "  2 x Nonsense (13), first at /a: the operator is not supported\n"
                + "      "
                + REMEDY
                + "    nodes: /a, /b\n"
                + "  1 x com.example.Other (2), at Other of 'c': the operator is not supported\n"
                + "      "
                + CUSTOM);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void supportIsPrintedAsJson() throws IOException {
    CommandRun run = CommandRun.of("inspect", unsupported(), "--support", "--json");
    Map<String, Object> json = JSON.std.mapFrom(run.out());
    assertThat(json).containsEntry("supported", false).containsEntry("nodes", 4);
    assertThat((List<?>) json.get("problems"))
        .first()
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsEntry("operator", "Nonsense (13)")
        .containsEntry("count", 2)
        .containsEntry("at", List.of("/a", "/b"));
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void aModelThatIsNotSupportedFailsToLoadWithTheSameList() throws IOException {
    Path file = unsupported();
    fails(
        CommandRun.of("run", file, "random:2"),
        "unsupported.onnx cannot be imported: 3 problems in 4 nodes\n"
            + "  2 x Nonsense (13), first at /a: the operator is not supported\n"
            + "    "
            + REMEDY
            + "  1 x com.example.Other (2), at Other of 'c': the operator is not supported\n"
            + "    "
            + CUSTOM.strip()
            + readAsOnnx(file));
  }

  @Test
  void supportOfAnotherFormatIsRefused() throws IOException {
    Path text = folder.resolve("program.txt");
    Files.writeString(text, "relaxvm-text 1\n@main(x):\n  ret   %0\n");
    fails(
        CommandRun.of("inspect", text, "--support"),
        "'" + text + "' is no ONNX model, of which --support tells what is not supported");
  }

  // ---------------------------------------------------------------- run

  @Test
  void runGivesTheOutputs() {
    succeeds(
        CommandRun.of("run", model, input, "shift=" + shift()),
        """
        tuple of 2
        (0) float32[2, 2] on cpu:0
            [[2.0, 0.0],
             [4.0, 0.0]]
        (1) float32[2, 1] on cpu:0
            [[2.0],
             [4.0]]
        """);
  }

  private Path shift() {
    Path file = folder.resolve("shift.npy");
    Npy.write(file, Tensor.of(new float[] {1, 0}, Shape.of(2)));
    return file;
  }

  @Test
  void anInputIsAConstantAndOneOutputIsWanted() {
    String expected = "float32[2, 1] on cpu:0\n[[2.0],\n [4.0]]\n";
    succeeds(
        CommandRun.of(
            "run",
            model,
            input,
            "--value",
            "shift=[1, 0]",
            "--outputs",
            "total",
            "--bind",
            "batch=2"),
        expected);
    succeeds(
        CommandRun.of(
            "run",
            model,
            input,
            "--value",
            "shift=" + shift(),
            "--outputs",
            "total",
            "--shape",
            "x=2x2"),
        expected);
  }

  @Test
  void anExtentThatIsBoundIsChecked() {
    CommandRun run = CommandRun.of("run", model, "random:3x2", shift(), "--bind", "batch=2");
    assertThat(run.err())
        .startsWith(
            "relaxvm: error: argument 'x' of main: dimension 0 is 3, expected 2\n"
                + "  got: shape [3, 2]\n"
                + "  declared: R.Tensor((2, 2), dtype=\"float32\")\n"
                + "  at function main, pc ");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void wrongOptionsSayWhatThereIs() {
    fails(
        CommandRun.of("run", model, input, shift(), "--bind", "bach=2"),
        "the model has no symbolic extent 'bach'\n"
            + "  got: bach=2\n"
            + "  its symbolic extents: batch\n"
            + "  what to do: name one of them, or give an input a shape"
            + readAsOnnx(model));
    fails(
        CommandRun.of("run", model, input, shift(), "--value", "shif=[1, 0]"),
        "the model has no input 'shif'\n"
            + "  its inputs: x, shift\n"
            + "  what to do: name one of them"
            + readAsOnnx(model));
    fails(
        CommandRun.of("run", model, input, "--value", "shift=[1, a]"),
        "malformed tensor: 'a' is no float32\n"
            + "  expected: a number, true, false, or lists of these, such as [[1, 2], [3, 4]], of"
            + " float32\n"
            + "  got: [1, a]\n"
            + "  at the value of 'shift'"
            + readAsOnnx(model));
    fails(
        CommandRun.of("run", model, input, shift(), "--outputs", "totl"),
        "the model has no value 'totl' that could be an output\n"
            + "  its outputs: y, total\n"
            + "  what to do: name outputs, or results of nodes"
            + readAsOnnx(model));
    fails(
        CommandRun.of("run", model, input, shift(), "--params", input),
        "the program takes no parameter file\n"
            + "  got: "
            + input.toAbsolutePath()
            + "\n  what to do: load the program without it"
            + readAsOnnx(model));
  }

  @Test
  void aMissingOrUnknownInputIsNamed() {
    fails(
        CommandRun.of("run", model, input, "shfit=" + shift()),
        "no parameter is named 'shfit'; there are: x, shift");
    assertThat(CommandRun.of("run", model, input).err())
        .startsWith("relaxvm: error: ")
        .contains("main", "2", "1");
  }

  @Test
  void aDamagedModelIsRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(model);
    Path cut = folder.resolve("cut.onnx");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - 10));
    CommandRun run = CommandRun.of("run", cut, input, shift());
    assertThat(run.err()).startsWith("relaxvm: error: ").contains(cut.toString());
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void modelsInOtherFormsSayWhatToDo() throws IOException {
    Path text = folder.resolve("text.onnx");
    Files.writeString(text, "ir_version: 8\n");
    fails(
        CommandRun.of("inspect", text),
        text.toAbsolutePath()
            + " is an ONNX model as text\n  what to do: convert it with onnx.parser or protoc");
  }

  // ---------------------------------------------------------------- bench, profile

  @Test
  void benchTimesAModel() throws IOException {
    CommandRun run =
        CommandRun.of("bench", model, "random:2x2", shift(), "-r", "2", "-w", "1", "--json");
    assertThat(run.err()).isEmpty();
    assertThat(JSON.std.mapFrom(run.out()))
        .containsEntry("program", model.toString())
        .containsEntry("calls", 2);
    assertThat(run.code()).isZero();
  }

  @Test
  void profileShowsTheNodesOfEachKernel() throws IOException {
    CommandRun run = CommandRun.of("profile", model, "--bind", "batch=2", "-r", "1", "-w", "1");
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().filter(line -> line.contains("/layer/Mul")))
        .singleElement()
        .asString()
        .startsWith("  fused_multiply_add_maximum ")
        .endsWith("  /layer/Mul, /layer/Add, /layer/Relu");
    CommandRun json =
        CommandRun.of("profile", model, "--bind", "batch=2", "-r", "1", "-w", "1", "--json");
    List<?> kernels = (List<?>) Objects.requireNonNull(JSON.std.mapFrom(json.out()).get("kernels"));
    assertThat(kernels.stream().map(kernel -> String.valueOf(((Map<?, ?>) kernel).get("nodes"))))
        .containsExactlyInAnyOrder("[/layer/Mul, /layer/Add, /layer/Relu]", "[/sum]");
  }

  // ---------------------------------------------------------------- compile

  @Test
  void aCompiledModelGivesTheSameAndKeepsItsNames() {
    Path output = folder.resolve("model.rvm");
    CommandRun run =
        CommandRun.of(
            "compile", model, "-o", output, "--bind", "batch=2", "--value", "shift=[1, 0]");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("wrote " + output + ": ").endsWith(", 2 kernels\n");
    assertThat(CommandRun.of("run", output, input).out())
        .isEqualTo(CommandRun.of("run", model, input, shift()).out());
    assertThat(CommandRun.of("inspect", output).out())
        .contains("  in   x: float32[2, 2]\n", "  out  y: float32[2, 2]\n")
        .contains("as defined by the format  /layer/Mul, /layer/Add, /layer/Relu\n");
    assertThat(CommandRun.of("inspect", output, "--ir").out()).contains("  # /layer/Mul\n");
    fails(
        CommandRun.of("run", output, input, "--bind", "batch=2"),
        "the format rvm has no option 'bind'\n"
            + "  got: bind batch=2\n"
            + "  options of the format: none\n"
            + "  what to do: load the program without the option\n"
            + "  at file "
            + output.toAbsolutePath()
            + ", read as rvm");
  }

  @Test
  void modulesInRelaxIrHaveOptionsToo() throws IOException {
    Path module = folder.resolve("model.relax");
    Files.writeString(
        module,
        """
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((n, 2), "float32"), y: R.Tensor((2,), "float32")):
                with R.dataflow():
                    z = R.add(x, y)
                    R.output(z)
                return z
        """);
    String expected = "float32[2, 2] on cpu:0\n[[2.0, -2.0],\n [4.0, -4.0]]\n";
    succeeds(CommandRun.of("run", module, input, "--bind", "n=2", "--value", "y=[1, 0]"), expected);
    Path output = folder.resolve("module.rvm");
    assertThat(CommandRun.of("compile", module, "-o", output, "--value", "y=[1, 0]").err())
        .isEmpty();
    succeeds(CommandRun.of("run", output, input), expected);
    fails(
        CommandRun.of("run", module, input, "--outputs", "z"),
        "the format relax has no option 'outputs'\n"
            + "  got: outputs z\n"
            + "  options of the format: bind NAME=N, value NAME=FILE.npy|LITERAL\n"
            + "  what to do: load the program without the option\n"
            + "  at file "
            + module.toAbsolutePath()
            + ", read as relax");
  }

  @Test
  void aModelWhoseInputsDecideAxesIsNotWritten() throws IOException {
    Path file =
        written(
            "axes.onnx",
            new OnnxModels(13)
                .input("x", DType.FLOAT32, 2, 2)
                .input("axes", DType.INT64, 1)
                .named("/sum", "ReduceSum", List.of("x", "axes"), List.of("y"))
                .output("y", DType.FLOAT32, "a", "b"));
    Path output = folder.resolve("axes.rvm");
    CommandRun run = CommandRun.of("compile", file, "-o", output);
    assertThat(run.err())
        .startsWith("relaxvm: error: ")
        .contains("'axes'", "what to do: make it a constant (--value axes=...)");
    assertThat(output).doesNotExist();
    assertThat(CommandRun.of("compile", file, "-o", output, "--value", "axes=[0]").err()).isEmpty();
    succeeds(CommandRun.of("run", output, input), "float32[1, 2] on cpu:0\n[[4.0, -6.0]]\n");
  }
}
