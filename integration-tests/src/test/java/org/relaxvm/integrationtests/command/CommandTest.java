package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.imageio.ImageIO;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.integrationtests.golden.Golden;

/** What the commands print when all is well. */
class CommandTest {
  private static final String DIGITS = "../examples/digits/digits.rvm";
  private static final String BYTECODE_ONLY = "../examples/digits/digits-library.rvm";
  private static final String SAMPLES = "../examples/digits/samples/";

  @ParameterizedTest
  @CsvSource({
    "zero,0", "one,1", "two,2", "three,3", "four,4", "five,5", "six,6", "seven,7", "eight,8",
    "nine,9"
  })
  void runNamesTheDigitOfEachSample(String sample, String digit) {
    CommandRun run = CommandRun.of("run", DIGITS, SAMPLES + sample + ".png");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith(digit + "\n  " + digit + "  █");
    assertThat(run.out().lines()).hasSize(11);
    assertThat(run.code()).isZero();
  }

  @Test
  void runWritesItsResultAndPrintsJson(@TempDir Path folder) throws IOException {
    Path output = folder.resolve("scores.npy");
    CommandRun run =
        CommandRun.of("run", DIGITS, "image=random:3x1x28x28", "--output", output, "--json");
    assertThat(run.code()).isZero();
    Map<String, Object> json = JSON.std.mapFrom(run.out());
    assertThat(json.get("function")).isEqualTo("main");
    assertThat(json.get("result")).asString().contains("shape=[3, 10]");
    try (Tensor scores = Npy.read(output)) {
      assertThat(scores.shape()).isEqualTo(Shape.of(3, 10));
    }
  }

  @Test
  void benchPrintsOneJsonObjectWithTheFiguresOfACall() throws IOException {
    CommandRun run =
        CommandRun.of(
            "bench",
            DIGITS,
            "random:1x1x28x28",
            "--repeat",
            "3",
            "--warmup",
            "1",
            "--threads",
            "2",
            "--json");
    assertThat(run.code()).isZero();
    Map<String, Object> json = JSON.std.mapFrom(run.out());
    assertThat(json)
        .containsKeys(
            "min_ns",
            "median_ns",
            "p99_ns",
            "instructions",
            "ns_per_instruction",
            "allocated_bytes")
        .containsEntry("warmup_calls", 1)
        .containsEntry("steady", true)
        .containsEntry("calls", 6)
        .containsEntry("threads", 2);
    assertThat((Integer) json.get("instructions")).isGreaterThan(10);
  }

  @Test
  void benchWarmsUpUntilTheSpeedIsSteadyAndSaysSo() {
    CommandRun run = CommandRun.of("bench", DIGITS, "random:1x1x28x28", "--repeat", "3");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .containsPattern(
            "\nwarm-up +[0-9]+ calls in [0-9.]+ s, (then steady|not steady by then)\nmin ");
    assertThat(run.code()).isZero();
  }

  @Test
  void doctorMeasuresWidthsOfVectors() throws IOException {
    CommandRun run = CommandRun.of("doctor", "--measure", "--json");
    assertThat(run.code()).isZero();
    Map<String, Object> json = JSON.std.mapFrom(run.out());
    assertThat(json.get("vector_widths"))
        .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
        .hasSize(3)
        .allSatisfy(
            width -> {
              boolean ran = "".equals(width.get("problem"));
              assertThat(Double.valueOf(0).equals(width.get("gflops")))
                  .as("%s", width)
                  .isEqualTo(!ran);
              // Every machine has the narrowest; another that it lacks is said to be too wide.
              if (!ran) {
                assertThat(width.get("bits")).isNotEqualTo(128);
                assertThat(width.get("problem")).asString().contains("is too wide");
              }
            });
  }

  @Test
  void inspectListsFunctionsConstantsAndProviders() {
    CommandRun run = CommandRun.of("inspect", BYTECODE_ONLY, "--verify");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains("main(image)", "image: float32[n, 1, 28, 28]", "relaxvm.conv2d", "all digests")
        .doesNotContain("MISSING");
    assertThat(run.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--text,@main:",
    "--python,ib = rx.Builder()",
    "--stats,Relax VM executable statistics:",
    "--java=Digits,import ",
    "--full-text,relaxvm-text 1"
  })
  void inspectPrintsTheProgramInAForm(String form, String start) throws IOException {
    CommandRun plain = CommandRun.of("inspect", DIGITS, form);
    assertThat(plain.out()).startsWith(start);
    CommandRun json = CommandRun.of("inspect", DIGITS, form, "--json");
    assertThat(JSON.std.mapFrom(json.out())).containsExactly(Map.entry("listing", plain.out()));
  }

  @Test
  void fullTextOfAProgramRunsAgain(@TempDir Path folder) throws IOException {
    Path text = folder.resolve("digits.txt");
    Files.writeString(text, CommandRun.of("inspect", BYTECODE_ONLY, "--full-text").out());
    String input = "random:2x1x28x28";
    assertThat(CommandRun.of("run", text, input).out())
        .isEqualTo(CommandRun.of("run", BYTECODE_ONLY, input).out());
  }

  @Test
  void runTakesJpegImages(@TempDir Path folder) throws IOException {
    Path jpeg = folder.resolve("four.jpg");
    BufferedImage drawn = ImageIO.read(Path.of(SAMPLES + "four.png").toFile());
    BufferedImage opaque =
        new BufferedImage(drawn.getWidth(), drawn.getHeight(), BufferedImage.TYPE_INT_RGB);
    opaque.createGraphics().drawImage(drawn, 0, 0, Color.WHITE, null);
    assertThat(ImageIO.write(opaque, "jpg", jpeg.toFile())).isTrue();
    assertThat(CommandRun.of("run", DIGITS, jpeg).out()).startsWith("4\n");
  }

  @Test
  void doctorListsTheCpuAndTheBuiltins() throws IOException {
    CommandRun run = CommandRun.of("doctor");
    assertThat(run.out())
        .contains("ok       cpu", "cpu:0", "ok       builtins")
        .containsPattern(
            "      option cpu\\.winograd +Allows convolutions by Winograd's transformation\\."
                + " \\(auto, off; default: auto\\)\n")
        .containsPattern(
            "      option cpu\\.code +Chooses what kernels become: machine code, or code of the"
                + " JVM\\. \\(auto, machine, portable; default: auto\\)\n")
        .containsPattern("\n +machine code +(used|not available): ");
    assertThat(run.code()).isZero();
    Map<String, Object> json = JSON.std.mapFrom(CommandRun.of("doctor", "--json").out());
    assertThat(json).containsKeys("java", "plugin_folders", "providers");
  }

  @Test
  void checkCountsPassedRuns() {
    CommandRun run = CommandRun.of("check", Golden.require("01-bytecode"));
    assertThat(run.out()).endsWith("\n9 passed, 0 failed\n");
    assertThat(run.code()).isZero();
  }

  @Test
  void aCaseThatCannotBeLoadedOrLinkedDoesNotHideTheOthers(@TempDir Path folder)
      throws IOException {
    String runs =
        """
        {"runs": [{"function": "main", "args": [{"value": 3}], "results": {"value": 3}}]}
        """;
    Path damaged = Files.createDirectory(folder.resolve("a-damaged"));
    Files.writeString(damaged.resolve("case.json"), runs);
    Files.writeString(damaged.resolve("program.txt"), "@main(x):\n  no instruction\n");
    Path lacking = Files.createDirectory(folder.resolve("b-lacking"));
    Files.writeString(lacking.resolve("case.json"), runs);
    Files.writeString(
        lacking.resolve("program.txt"), "@main(x):\n  call acme.f in: %0 dst: %1\n  ret %1\n");
    Path sound = Files.createDirectory(folder.resolve("c-sound"));
    Files.writeString(sound.resolve("case.json"), runs);
    Files.writeString(sound.resolve("program.txt"), "@main(x):\n  ret %0\n");
    // Of other programs than those of the Relay VM, such files are none of the case's.
    Files.writeString(sound.resolve("consts.params"), "notes");
    CommandRun run = CommandRun.of("check", folder);
    assertThat(run.out())
        .containsPattern("FAIL  a-damaged run 0 program: \\w+: ")
        .contains("skip  b-lacking run 0 program: the program needs a function")
        .contains("ok    c-sound run 0 main")
        .endsWith("1 passed, 1 failed, 1 unsupported\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void checkReportsADifferenceAndFails(@TempDir Path folder) throws IOException {
    Path golden = Golden.require("01-bytecode");
    Files.copy(golden.resolve("executable.bin"), folder.resolve("executable.bin"));
    Npy.write(folder.resolve("x.npy"), Tensor.of(new float[] {1, 2}, Shape.of(2)));
    Npy.write(folder.resolve("y.npy"), Tensor.of(new float[] {1, 3}, Shape.of(2)));
    Files.writeString(
        folder.resolve("case.json"),
        """
        {"relative_tolerance": 0.0, "runs": [
          {"function": "identity", "args": [{"npy": "x.npy"}], "results": {"npy": "x.npy"}},
          {"function": "identity", "args": [{"npy": "x.npy"}], "results": {"npy": "y.npy"}},
          {"function": "identity", "args": [{"npy": "x.npy"}], "results": [],
           "error": {"kind": "ValueError", "message": "never"}}]}
        """);
    CommandRun run = CommandRun.of("check", folder);
    String name = folder.getFileName().toString();
    assertThat(run.out())
        .isEqualTo(
            """
            ok    %1$s run 0 identity
            FAIL  %1$s run 1 identity: result: element 1: expected 3.0, but got 2.0
            FAIL  %1$s run 2 identity (must fail with ValueError): expected ValueError 'never', \
            but the call succeeded
            1 passed, 2 failed
            """
                .formatted(name));
    assertThat(run.code()).isEqualTo(1);
  }
}
