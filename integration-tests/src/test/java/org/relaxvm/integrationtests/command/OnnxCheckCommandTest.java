package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/** {@code relaxvm check} with test folders of ONNX, archives of them, and models. */
class OnnxCheckCommandTest {
  @TempDir private Path folder;

  private static OnnxModels unary(String operator) {
    return new OnnxModels(13)
        .input("x", DType.FLOAT32, "n")
        .node(operator, List.of("x"), List.of("y"))
        .output("y", DType.FLOAT32, "n");
  }

  /** A case with one set of data. */
  private Path testCase(String name, OnnxModels model, float[] input, float[] output)
      throws IOException {
    Path path = folder.resolve(name);
    Path data = Files.createDirectories(path.resolve("test_data_set_0"));
    Files.write(path.resolve("model.onnx"), model.bytes());
    write(data.resolve("input_0.pb"), "x", input);
    write(data.resolve("output_0.pb"), "y", output);
    return path;
  }

  private static void write(Path file, String name, float[] values) throws IOException {
    Tensor tensor = Tensor.of(values, Shape.of(values.length));
    Files.write(file, OnnxModels.tensor(name, tensor).toByteArray());
  }

  private List<Path> cases() throws IOException {
    return List.of(
        testCase("test_abs", unary("Abs"), new float[] {-1, 2}, new float[] {1, 2}),
        testCase("test_neg", unary("Neg"), new float[] {-1, 2}, new float[] {1, -2.01f}),
        testCase("test_other", unary("Other"), new float[] {1}, new float[] {1}),
        testCase("test_another", unary("Other"), new float[] {1}, new float[] {1}));
  }

  private static final String UNSUPPORTED =
      " run 0 main: %s cannot be imported: 1 problem in 1 node\n"
          + "          1 x Other (13), at Other of 'y': the operator is not supported\n"
          + "            what to do: export the model without it, or name outputs that do not need"
          + " it (--outputs A,B)\n";
  private static final String NEG =
      "FAIL  test_neg run 0 main: output 0: element 1: expected -2.009999990463257, but got -2.0\n";
  private static final String REASONS =
      "reasons:\n     2  Other (13): the operator is not supported, such as test_";

  @Test
  void eachCaseIsALineAndReasonsAreGrouped() throws IOException {
    List<Path> cases = cases();
    CommandRun run = CommandRun.of("check", cases.get(0), cases.get(1), cases.get(2), cases.get(3));
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            "ok    test_abs run 0 main\n"
                + NEG
                + "FAIL  test_other"
                + UNSUPPORTED.formatted("test_other")
                + "FAIL  test_another"
                + UNSUPPORTED.formatted("test_another")
                + REASONS
                + "other\n"
                + "     1  output 0: element 1: expected -2.009999990463257, but got -2.0, such as"
                + " test_neg\n"
                + "1 passed, 3 failed\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void tolerancesAreGivenOnTheCommandLine() throws IOException {
    Path neg = cases().get(1);
    String passed = "ok    test_neg run 0 main\n1 passed, 0 failed\n";
    assertThat(CommandRun.of("check", neg).out()).isEqualTo(NEG + "0 passed, 1 failed\n");
    assertThat(CommandRun.of("check", neg, "--rtol", "0.01").out()).isEqualTo(passed);
    assertThat(CommandRun.of("check", neg, "--atol", "0.02").out()).isEqualTo(passed);
    CommandRun strict = CommandRun.of("check", neg, "--rtol", "0.01", "--atol", "0.02", "--json");
    assertThat(strict.code()).isZero();
    assertThat(JSON.std.mapFrom(strict.out()))
        .containsEntry("passed", 1)
        .containsEntry("failed", 0);
  }

  @Test
  void anArchiveOfCasesIsCheckedInAlphabeticalOrder() throws IOException {
    cases();
    Path zip = folder.resolve("cases.zip");
    try (OutputStream out = Files.newOutputStream(zip);
        ZipOutputStream entries = new ZipOutputStream(out, StandardCharsets.UTF_8);
        Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> !f.equals(zip) && Files.isRegularFile(f)).toList()) {
        entries.putNextEntry(new ZipEntry(folder.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
      }
    }
    CommandRun run = CommandRun.of("check", zip);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            "ok    test_abs run 0 main\n"
                + "FAIL  test_another"
                + UNSUPPORTED.formatted("test_another")
                + NEG
                + "FAIL  test_other"
                + UNSUPPORTED.formatted("test_other")
                + REASONS
                + "another\n"
                + "     1  output 0: element 1: expected -2.009999990463257, but got -2.0, such as"
                + " test_neg\n"
                + "1 passed, 3 failed\n");
  }

  @Test
  void aModelAloneIsComparedWithTheEvaluator() throws IOException {
    Path model = folder.resolve("model.onnx");
    Files.write(model, unary("Exp").bytes());
    CommandRun run = CommandRun.of("check", model, "--bind", "n=3");
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo("ok    model.onnx run 0 main random:3:float32\n1 passed, 0 failed\n");
    CommandRun fixed = CommandRun.of("check", model, "--shape", "x=4");
    assertThat(fixed.err()).isEmpty();
    assertThat(fixed.out())
        .isEqualTo("ok    model.onnx run 0 main random:4:float32\n1 passed, 0 failed\n");
    CommandRun unsaid = CommandRun.of("check", model);
    assertThat(unsaid.code()).isEqualTo(1);
    assertThat(unsaid.err())
        .isEqualTo(
            "relaxvm: error: how large n is must be said, for the type of the parameter 'x' is"
                + " R.Tensor((n,), dtype=\"float32\")\n"
                + "  what to do: say it, such as --bind n=3, or give all inputs by --input\n");
  }
}
