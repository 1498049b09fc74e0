package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code relaxvm compile}, and programs in Relax IR given to other commands. */
class CompileCommandTest {
  private static final String INPUT = "random:2x4:float32";

  @TempDir private Path folder;
  private Path text;
  private Path output;

  @BeforeEach
  void writeModule() throws IOException {
    text = folder.resolve("model.relax");
    output = folder.resolve("model.rvm");
    Files.writeString(
        text,
        """
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
                with R.dataflow():
                    y = R.nn.relu(R.add(x, x))
                    R.output(y)
                return y
        """);
  }

  private CommandRun compile(String... options) {
    Object[] all = new Object[options.length + 4];
    all[0] = "compile";
    all[1] = text;
    all[2] = "-o";
    all[3] = output;
    System.arraycopy(options, 0, all, 4, options.length);
    return CommandRun.of(all);
  }

  @Test
  void writesAPackageThatGivesWhatTheTextGives() {
    CommandRun run = compile();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("wrote " + output + ": ").endsWith(", 2 kernels\n");
    CommandRun ofPackage = CommandRun.of("run", output, INPUT);
    assertThat(ofPackage.out()).startsWith("float32[2, 4] on cpu:0\n");
    assertThat(CommandRun.of("run", text, INPUT).out()).isEqualTo(ofPackage.out());
  }

  @Test
  void aPackageHasTheModuleThatItWasCompiledFromAndItsKernels() {
    compile();
    assertThat(CommandRun.of("inspect", output, "--ir").out())
        .contains("def main(x: R.Tensor((n, 4), dtype=\"float32\"))", "R.nn.relu(");
    assertThat(CommandRun.of("inspect", output, "--kernels").out())
        .contains("def fused_add_relu(", "def shape_func(");
  }

  @Test
  void withoutFusionEachOperatorHasAKernel() {
    assertThat(compile("--no-fuse").out()).endsWith(", 3 kernels\n");
  }

  @Test
  void aChosenPipelineReplacesTheStandardOne() {
    String parts = "simplification,LegalizeOps,AnnotateTIROpPattern,lowering";
    assertThat(compile("--pipeline", parts).out()).endsWith(", 3 kernels\n");
    assertThat(compile("--pipeline", "default", "--force").out()).endsWith(", 2 kernels\n");
    CommandRun both = compile("--pipeline", "default", "--no-fuse", "--force");
    assertThat(both.code()).isEqualTo(1);
    assertThat(both.err())
        .isEqualTo(
            "relaxvm: error: --no-fuse changes the standard passes, but --pipeline replaces them\n"
                + "  what to do: leave the pass out of the list\n");
    CommandRun unknown = compile("--pipeline", "Zero", "--force");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err())
        .startsWith(
            "relaxvm: error: there is no pass 'Zero'\n  similar: zero\n  passes: default, ");
  }

  @Test
  void compiledFunctionsAreInThePackageAndGiveWhatBytecodeGives() {
    compile();
    CommandRun bytecode = CommandRun.of("run", output, INPUT);
    CommandRun run = compile("--exec-mode", "compiled", "--force");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).endsWith(": 1 compiled function, 2 kernels\n");
    assertThat(CommandRun.of("run", output, INPUT).out()).isEqualTo(bytecode.out());
    assertThat(CommandRun.of("inspect", output, "--kernels").out())
        .contains("def __vmtir__main(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):")
        .contains("T.anylist_setitem_call_packed(r, 1, \"vm.builtin.copy\", T.anylist_getitem(r, ");
    assertThat(CommandRun.of("run", output, "random:2x5:float32").err())
        .contains("at function main, call ");
  }

  @Test
  void anUnknownExecutionModeIsRefusedWithThoseThatThereAre() {
    assertThat(compile("--exec-mode", "native").err()).contains("BYTECODE, COMPILED");
  }

  @Test
  void withoutErrorContextsErrorsDoNotNameTheParameter() {
    compile("--no-error-contexts");
    CommandRun other = CommandRun.of("run", output, "random:2x5:float32");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err())
        .startsWith("relaxvm: error: a checked value: dimension 1 is 5, expected 4\n");
  }

  @Test
  void aBoundExtentIsAPartOfTheProgram() {
    compile("--bind", "n=2");
    assertThat(CommandRun.of("inspect", output).out()).contains("in   x: float32[2, 4]");
    CommandRun other = CommandRun.of("run", output, "random:3x4:float32");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err())
        .startsWith(
            "relaxvm: error: argument 'x' of main: dimension 0 is 3, expected 2\n"
                + "  got: shape [3, 4]\n");
  }

  @Test
  void printsTheProgramAfterAPass() {
    assertThat(compile("--print-after", "FuseTIR").out())
        .startsWith("# after FuseTIR\n@I.ir_module\n")
        .contains("R.call_tir(cls.fused_add_relu, (x,)");
  }

  @Test
  void anUnknownPassIsRefusedWithThoseThatThereAre() {
    CommandRun run = compile("--print-after", "Fuse");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("relaxvm: error: there is no pass 'Fuse'\n  passes: LambdaLift, ")
        .endsWith(", AttachGlobalSymbol\n");
    assertThat(output).doesNotExist();
  }

  @Test
  void anOutputThatIsThereIsKept() throws IOException {
    Files.writeString(output, "mine");
    CommandRun run = compile();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: "
                + output
                + " exists\n  what to do: name another file, or replace it with --force\n");
    assertThat(output).hasContent("mine");
    assertThat(compile("--force").code()).isZero();
  }

  @Test
  void aMistakeInTheTextIsShownAtItsPlace() throws IOException {
    Files.writeString(text, Files.readString(text).replace("R.add(x, x)", "R.ad(x, x)"));
    CommandRun run = compile();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("relaxvm: error: " + text + ":6:27: unknown operator 'R.ad'\n")
        .contains("similar: R.add")
        .doesNotContain("\tat ");
  }
}
