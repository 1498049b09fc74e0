package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.integrationtests.golden.Golden;

/** What {@code convert} writes, and what it refuses. */
class ConvertCommandTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits-library.rvm");

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "02-ones-cast-dynamic",
        "03-mlp-dynamic-batch",
        "04-mlp-compiled-mode",
        "05-cnn",
        "06-control-flow",
        "07-mlp-opencl",
        "08-mlp-vulkan",
        "09-mlp-cuda",
        "10-ones-cast-fused",
        "11-mlp-fused",
        "12-cnn-fused"
      })
  void aLibraryGivesTheExecutableThatWasExportedWithIt(String golden) {
    Path model = Golden.require(golden);
    Path file = folder.resolve("model.bin");
    CommandRun run = CommandRun.of("convert", model.resolve("model.so"), "-o", file);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(file).hasSameBinaryContentAs(model.resolve("executable.bin"));
  }

  @Test
  void whatIsLeftBehindIsCounted() throws Exception {
    CompiledModel model = CompiledModel.in(folder, true);
    Path file = folder.resolve("model.bin");
    CommandRun run = CommandRun.of("convert", model.library(), "-o", file);
    assertThat(run.out())
        .isEqualTo(
            """
            wrote %s: %d bytes
            left behind: machine code of 1 function: twice
            left behind: 1 device kernel: twice_kernel
            """
                .formatted(file, model.executable().length));
    assertThat(file).hasBinaryContent(model.executable());
    assertThat(model.marker()).doesNotExist();
  }

  @Test
  void whatIsLeftBehindIsToldAsJson() throws Exception {
    CompiledModel model = CompiledModel.in(folder, true);
    Path file = folder.resolve("model.bin");
    CommandRun run = CommandRun.of("convert", model.library(), "-o", file, "--json");
    assertThat(JSON.std.mapFrom(run.out()))
        .isEqualTo(
            Map.of(
                "written",
                file.toString(),
                "bytes",
                model.executable().length,
                "left_behind",
                Map.of(
                    "machine_code_functions",
                    List.of("twice"),
                    "kernels",
                    List.of("twice_kernel"),
                    "metadata",
                    false)));
  }

  @Test
  void aPackageAndItsTextGiveExecutablesThatRunAlike() throws IOException {
    Path fromPackage = folder.resolve("package.bin");
    CommandRun run = CommandRun.of("convert", DIGITS, "--output", fromPackage);
    assertThat(run.out())
        .isEqualTo(
            "wrote "
                + fromPackage
                + ": "
                + Files.size(fromPackage)
                + " bytes\nleft behind: the program's metadata\n");
    Path text = folder.resolve("digits.txt");
    Files.writeString(text, CommandRun.of("inspect", DIGITS, "--full-text").out());
    Path fromText = folder.resolve("text.bin");
    assertThat(CommandRun.of("convert", text, "-o", fromText).out())
        .isEqualTo("wrote " + fromText + ": " + Files.size(fromText) + " bytes\n");
    assertThat(fromText).hasSameBinaryContentAs(fromPackage);
    String input = "random:2x1x28x28";
    String expected = CommandRun.of("run", DIGITS, input).out();
    assertThat(CommandRun.of("run", fromPackage, input).out()).isEqualTo(expected);
  }

  @Test
  void anExistingFileStaysUnlessForced() throws IOException {
    Path file = Files.writeString(folder.resolve("model.bin"), "mine");
    CommandRun refused = CommandRun.of("convert", DIGITS, "-o", file);
    assertThat(refused.err())
        .isEqualTo(
            "relaxvm: error: "
                + file
                + " exists\n  what to do: name another file, or replace it with --force\n");
    assertThat(refused.out()).isEmpty();
    assertThat(refused.code()).isEqualTo(1);
    assertThat(file).hasContent("mine");
    assertThat(CommandRun.of("convert", DIGITS, "-o", file, "--force").code()).isZero();
    assertThat(CommandRun.of("inspect", file).out()).contains("main(image)");
  }

  @Test
  void aFailureLeavesNothingBehind() throws IOException {
    Path file = folder.resolve("absent/model.bin");
    CommandRun run = CommandRun.of("convert", DIGITS, "-o", file);
    assertThat(run.err()).startsWith("relaxvm: error: ").contains(file.toString());
    assertThat(run.code()).isEqualTo(1);
    CommandRun unread = CommandRun.of("convert", folder, "-o", folder.resolve("model.bin"));
    assertThat(unread.code()).isEqualTo(1);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theFileToWriteMustBeNamed() {
    CommandRun run = CommandRun.of("convert", DIGITS);
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: Missing required option: '--output=FILE'\n"
                + "  'relaxvm convert --help' lists what it takes\n");
    assertThat(run.code()).isEqualTo(2);
  }

  @Test
  void modulesGoFromTextToGraphAndBack() throws IOException {
    Path text = TwiceModule.write(folder.resolve("model.relax"));
    Path json = folder.resolve("model.json");
    CommandRun run = CommandRun.of("convert", text, "-o", json, "--tvm", "0.26");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("wrote " + json + ": " + Files.size(json) + " bytes\n");
    Path again = folder.resolve("again.relax");
    assertThat(CommandRun.of("convert", json, "-o", again).code()).isZero();
    Path printed = folder.resolve("printed.relax");
    assertThat(CommandRun.of("convert", text, "-o", printed).code()).isZero();
    assertThat(again).hasSameTextualContentAs(printed);
    // A package has the IR that it was compiled from.
    Path program = folder.resolve("model.rvm");
    assertThat(CommandRun.of("compile", text, "-o", program).code()).isZero();
    Path fromPackage = folder.resolve("package.json");
    assertThat(CommandRun.of("convert", program, "-o", fromPackage).err()).isEmpty();
    assertThat(CommandRun.of("inspect", json, "--diff", fromPackage).code()).isZero();
  }

  /** A graph of an older release is the same program, and is inspected as it is. */
  @ParameterizedTest
  @ValueSource(strings = {"0.22", "0.23", "0.24", "0.25"})
  void aGraphIsWrittenForAnOlderRelease(String release) throws IOException {
    Path text = TwiceModule.write(folder.resolve("model.relax"));
    Path json = folder.resolve("model.json");
    assertThat(CommandRun.of("convert", text, "-o", json, "--tvm", release).err()).isEmpty();
    String info = ".functions[\"main\"].ret_struct_info.dtype";
    assertThat(CommandRun.of("inspect", json, "--tree", info).out())
        .isEqualTo("<root>" + info + ": float32\n");
    assertThat(CommandRun.of("inspect", json, "--diff", json).out())
        .isEqualTo("structurally equal\n");
    assertThat(CommandRun.of("inspect", json, "--diff", text).out())
        .isEqualTo("structurally equal\n");
    CommandRun run = CommandRun.of("run", json, "random:3:float32:1");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(CommandRun.of("run", text, "random:3:float32:1").out());
  }

  @Test
  void whatAnOlderReleaseDoesNotHaveIsOneMessage() throws IOException {
    Path text =
        Files.writeString(
            folder.resolve("model.relax"),
            """
            @I.ir_module
            class Module:
              @R.function
              def main(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
                y = R.atan2(x, x)
                return y
            """);
    Path json = folder.resolve("model.json");
    CommandRun run = CommandRun.of("convert", text, "-o", json, "--tvm", "0.22");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .contains(
            "objects of release 0.26 have no counterpart in release 0.22\n"
                + "  <root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[0].value.op:"
                + " there is no operator relax.atan2 in release 0.22");
    assertThat(json).doesNotExist();
  }

  @Test
  void whatCannotBeWrittenIsOneMessage() {
    Path json = folder.resolve("model.json");
    assertThat(CommandRun.of("convert", DIGITS, "-o", json).err())
        .contains("does not have the Relax IR that it was compiled from");
    CommandRun old = CommandRun.of("convert", DIGITS, "-o", json, "--tvm", "0.21");
    assertThat(old.code()).isEqualTo(1);
    assertThat(old.err())
        .contains("no types of release 0.21 are known\n  known: 0.22, 0.24, 0.25, 0.26");
    assertThat(json).doesNotExist();
  }
}
