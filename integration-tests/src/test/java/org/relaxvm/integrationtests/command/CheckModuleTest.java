package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;

/** {@code relaxvm check} and {@code inspect} of modules in Relax IR. */
class CheckModuleTest {
  @TempDir private Path folder;
  private Path text;

  @BeforeEach
  void writeModule() throws IOException {
    text = folder.resolve("model.relax");
    Files.writeString(
        text,
        """
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((n, n * 2), "float32"), y: R.Tensor((n * 2,), "float32")):
                with R.dataflow():
                    a = R.add(x, y)
                    b = R.sum(a, axis=[1])
                    R.output(a, b)
                return (a, (b, R.shape([n])))

            @R.function
            def choose(c: R.Prim("bool"), s: R.Shape(["k"])):
                if c:
                    r = R.const(1.0)
                else:
                    r = R.const(2.0)
                return r

            @R.function
            def nothing():
                return R.tuple()
        """);
  }

  @Test
  void aCompiledModuleGivesWhatItsTextMeans() {
    CommandRun run = CommandRun.of("check", text, "--bind", "n=3");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            ok    model.relax run 0 main random:3x6:float32 random:6:float32
            1 passed, 0 failed
            """);
    assertThat(run.code()).isZero();
  }

  @Test
  void anyFunctionIsCheckedOnInputsAsRunTakesThem() {
    CommandRun run =
        CommandRun.of("check", text, "-f", "choose", "-i", "true", "-i", "shape:4", "--json");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualToIgnoringWhitespace(
            """
            {"passed": 1, "failed": 0, "unsupported": 0, "runs": [
              {"case": "model.relax", "run": 0, "function": "choose", "passed": true}]}
            """);
    assertThat(CommandRun.of("check", text, "-f", "nothing").out())
        .isEqualTo("ok    model.relax run 0 nothing\n1 passed, 0 failed\n");
  }

  @Test
  void aRunThatTheTextRefusesHasFailed() {
    CommandRun run = CommandRun.of("check", text, "-i", "random:3x5", "-i", "random:6");
    assertThat(run.out())
        .isEqualTo(
            """
            FAIL  model.relax run 0 main random:3x5 random:6: ValueError: extent 1 of the \
            parameter x must be n * 2, which is 6, but is 5
                      at function main
            0 passed, 1 failed
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void aSizeThatIsNotSaidIsAskedFor() {
    CommandRun run = CommandRun.of("check", text);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: how large n is must be said, for the type of the"
                + " parameter 'x' is R.Tensor((n, n * 2), dtype=\"float32\")\n"
                + "  what to do: say it, such as --bind n=3, or give all inputs by --input\n");
  }

  @Test
  void aSizeBelowZeroIsRefused() {
    assertThat(CommandRun.of("check", text, "--bind", "n=-1").err())
        .isEqualTo(
            "relaxvm: error: the extent n of the parameter 'x' is no size with {n=-1}\n"
                + "  what to do: give other sizes by --bind\n");
  }

  @Test
  void inputsThatAreNoTensorsMustBeGiven() {
    assertThat(CommandRun.of("check", text, "-f", "choose").err())
        .isEqualTo(
            "relaxvm: error: the type of the parameter 'c', R.Prim(\"bool\"), does not"
                + " say which tensor to make\n"
                + "  what to do: give all inputs by --input, as 'relaxvm run' takes them\n");
  }

  @Test
  void anUnknownFunctionIsRefusedWithThoseThatThereAre() {
    assertThat(CommandRun.of("check", text, "-f", "man").err())
        .isEqualTo(
            "relaxvm: error: the module has no function 'man'; name one with"
                + " --function: main, choose, nothing\n");
  }

  @Test
  void aFileThatSaysNothingOfItsResultsIsRefused() throws IOException {
    Path bytecode = folder.resolve("program.txt");
    Files.writeString(bytecode, "relaxvm-text 1\n@main(x):\n  ret   %0\n");
    assertThat(CommandRun.of("check", bytecode).err())
        .isEqualTo(
            "relaxvm: error: '"
                + bytecode
                + "' is no case, no module in Relax IR and no ONNX model, so there are no expected"
                + " results\n"
                + "  cases are:\n"
                + "    case: a folder with case.json, a program and tensor files\n"
                + "    onnx: a folder with model.onnx and test_data_set_0, or a zip archive of such"
                + " folders\n"
                + "    script: a folder with script.json, or a .tar.gz archive of such folders\n"
                + "  what to do: give a case, a module as text, or an ONNX model\n");
  }

  @Test
  void theProgramOfACaseFolderMayBeAModule() throws IOException {
    Files.move(text, folder.resolve("program.relax"));
    Npy.write(folder.resolve("x.npy"), Tensor.of(new float[] {1, 2}, Shape.of(1, 2)));
    Npy.write(folder.resolve("y.npy"), Tensor.of(new float[] {3, 4}, Shape.of(2)));
    Npy.write(folder.resolve("a.npy"), Tensor.of(new float[] {4, 6}, Shape.of(1, 2)));
    Npy.write(folder.resolve("b.npy"), Tensor.of(new float[] {10}, Shape.of(1)));
    Files.writeString(
        folder.resolve("case.json"),
        """
        {"runs": [{"function": "main", "args": [{"npy": "x.npy"}, {"npy": "y.npy"}], "results":
          {"tuple": [{"npy": "a.npy"}, {"tuple": [{"npy": "b.npy"}, {"shape": [1]}]}]}}]}
        """);
    CommandRun run = CommandRun.of("check", folder);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).endsWith(" run 0 main\n1 passed, 0 failed\n");
  }

  @Test
  void inspectShowsWhatAModuleBecomes() {
    CommandRun run = CommandRun.of("inspect", text);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("in   x: float32[n, ", "shape_func");
    assertThat(CommandRun.of("inspect", text, "--ir").out())
        .contains("def main(x: R.Tensor((n, n * 2), dtype=\"float32\")");
    assertThat(CommandRun.of("inspect", text, "--text").out()).contains("@main:", "call");
  }
}
