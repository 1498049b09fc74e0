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

/** What {@code export} writes, and what it refuses. */
class ExportCommandTest {
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
    CommandRun run = CommandRun.of("export", model.resolve("model.so"), "-o", file);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(file).hasSameBinaryContentAs(model.resolve("executable.bin"));
  }

  @Test
  void whatIsLeftBehindIsCounted() throws Exception {
    CompiledModel model = CompiledModel.in(folder, true);
    Path file = folder.resolve("model.bin");
    CommandRun run = CommandRun.of("export", model.library(), "-o", file);
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
    CommandRun run = CommandRun.of("export", model.library(), "-o", file, "--json");
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
    CommandRun run = CommandRun.of("export", DIGITS, "--output", fromPackage);
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
    assertThat(CommandRun.of("export", text, "-o", fromText).out())
        .isEqualTo("wrote " + fromText + ": " + Files.size(fromText) + " bytes\n");
    assertThat(fromText).hasSameBinaryContentAs(fromPackage);
    String input = "random:2x1x28x28";
    String expected = CommandRun.of("run", DIGITS, input).out();
    assertThat(CommandRun.of("run", fromPackage, input).out()).isEqualTo(expected);
  }

  @Test
  void anExistingFileStaysUnlessForced() throws IOException {
    Path file = Files.writeString(folder.resolve("model.bin"), "mine");
    CommandRun refused = CommandRun.of("export", DIGITS, "-o", file);
    assertThat(refused.err())
        .isEqualTo(
            "relaxvm: error: "
                + file
                + " exists\n  what to do: name another file, or replace it with --force\n");
    assertThat(refused.out()).isEmpty();
    assertThat(refused.code()).isEqualTo(1);
    assertThat(file).hasContent("mine");
    assertThat(CommandRun.of("export", DIGITS, "-o", file, "--force").code()).isZero();
    assertThat(CommandRun.of("inspect", file).out()).contains("main(image)");
  }

  @Test
  void aFailureLeavesNothingBehind() throws IOException {
    Path file = folder.resolve("absent/model.bin");
    CommandRun run = CommandRun.of("export", DIGITS, "-o", file);
    assertThat(run.err()).startsWith("relaxvm: error: ").contains(file.toString());
    assertThat(run.code()).isEqualTo(1);
    CommandRun unread = CommandRun.of("export", folder, "-o", folder.resolve("model.bin"));
    assertThat(unread.code()).isEqualTo(1);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void theFileToWriteMustBeNamed() {
    CommandRun run = CommandRun.of("export", DIGITS);
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: Missing required option: '--output=FILE'\n"
                + "  'relaxvm export --help' lists what it takes\n");
    assertThat(run.code()).isEqualTo(2);
  }
}
