package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The code of {@code docs/from-onnx.md} does what the document says. */
class FromOnnxDocumentTest {
  private @TempDir Path folder;

  /** Scores of three classes for four features: the sums of two, of the others, and 0. */
  private Path classifier() {
    return new OnnxFile()
        .input("features", OnnxFile.FLOAT, "batch", 4)
        .output("scores", OnnxFile.FLOAT, "batch", 3)
        .matrix("weights", 4, 3, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0)
        .node("MatMul", List.of("features", "weights"), List.of("hidden"))
        .node("Softmax", List.of("hidden"), List.of("scores"))
        .write(folder.resolve("model.onnx"));
  }

  private static Tensor row(float... features) {
    return Tensor.of(features, Shape.of(1, 4));
  }

  @Test
  void aModelRuns() {
    float[] scores = FromOnnxSnippets.run(classifier());
    assertThat(scores).hasSize(3);
    assertThat(scores[0]).isGreaterThan(0.99f);
  }

  @Test
  void extentsAreBoundAndAValueInsideIsAnOutput() {
    Program program = FromOnnxSnippets.options(classifier());
    assertThat(program.metadata().inputs()).hasToString("[features: float32[1, 4]]");
    assertThat(program.metadata().outputs()).hasToString("[hidden: float32[1, 3]]");
  }

  @Test
  void anInputBecomesAConstant() {
    Path file =
        new OnnxFile()
            .input("x", OnnxFile.FLOAT, "n", 2)
            .input("axes", OnnxFile.INT64, 1)
            .output("y", OnnxFile.FLOAT, "n", 1)
            .node("ReduceSum", List.of("x", "axes"), List.of("y"))
            .write(folder.resolve("sum.onnx"));
    Program program = FromOnnxSnippets.constant(OnnxModel.open(file));
    assertThat(program.metadata().inputs()).hasToString("[x: float32[n, 2]]");
    assertThat(program.hostFunctions()).isEmpty();
  }

  @Test
  void aProgramIsSaved() {
    Path saved = folder.resolve("model.rvm");
    FromOnnxSnippets.save(classifier(), saved);
    assertThat(FromOnnxSnippets.run(saved)).hasSize(3);
  }

  @Test
  void aModelIsChecked() {
    assertThat(FromOnnxSnippets.check(classifier())).isEqualTo("supported");
    Path file =
        new OnnxFile()
            .input("x", OnnxFile.FLOAT, 1)
            .output("y", OnnxFile.FLOAT, 1)
            .node("Unknown", List.of("x"), List.of("y"))
            .write(folder.resolve("unknown.onnx"));
    assertThat(FromOnnxSnippets.check(file))
        .isEqualTo(
            """
            unknown.onnx cannot be imported: 1 problem in 1 node
              1 x Unknown (13), at Unknown of 'y': the operator is not supported
                what to do: export the model without it, or name outputs that do not need it \
            (--outputs A,B)\
            """);
  }

  @Test
  void stringsAreTuples() {
    Path file =
        new OnnxFile()
            .input("words", OnnxFile.STRING, "n")
            .output("same", OnnxFile.STRING, "n")
            .node("Identity", List.of("words"), List.of("same"))
            .write(folder.resolve("strings.onnx"));
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(file)).build()) {
      assertThat(FromOnnxSnippets.strings(vm)).containsExactly("red", "green");
    }
  }

  @Test
  void aMigratedProgramRuns() {
    float[] features = {1, 0, 0, 0, 0, 0, 0, 5};
    assertThat(FromOnnxSnippets.migrated(classifier(), features)).hasSize(6);
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(classifier())).build()) {
      double best = FromOnnxSnippets.pinned(vm, List.of(row(9, 0, 0, 0), row(0, 0, 9, 0)));
      assertThat(best).isGreaterThan(0.99);
    }
  }
}
