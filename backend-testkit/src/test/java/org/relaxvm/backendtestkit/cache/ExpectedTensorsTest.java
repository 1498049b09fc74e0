package org.relaxvm.backendtestkit.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendtestkit.corpus.CorpusRun;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;

/** What comes from the cache is what the evaluator gives. */
class ExpectedTensorsTest {
  private static final byte[] CODE = {1};

  /** Large enough to be worth an entry. */
  private static final PrimFunc SLOW =
      kernel(
          """
          @T.prim_func(private=True)
          def slow(A: T.Buffer((300, 300), "float32"), C: T.Buffer((300, 300), "float32")):
              for i, j in T.grid(300, 300):
                  with T.block("C"):
                      v, w = T.axis.remap("SS", [i, j])
                      C[v, w] = T.exp(A[v, w])
          """);

  @TempDir Path folder;

  private static PrimFunc kernel(String text) {
    return TirText.parse(text, "slow").getFirst();
  }

  private static List<Object> arguments(float value) {
    Tensor from = Tensor.zeros(DType.FLOAT32, Shape.of(300, 300));
    from.fill(value);
    return List.of(from, Tensor.zeros(DType.FLOAT32, Shape.of(300, 300)));
  }

  private static float result(List<Object> arguments) {
    return (float) ((Tensor) arguments.getLast()).doubleAt(299, 299);
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".entry")).toList();
    }
  }

  private float run(PrimFunc kernel, byte[] code, float value) {
    List<Object> arguments = arguments(value);
    ExpectedTensors.in(folder, code).run(kernel, arguments);
    return result(arguments);
  }

  @Test
  void kernelArgumentsAndCodeHaveEntriesOfTheirOwn() throws IOException {
    float one = run(SLOW, CODE, 1);
    assertThat(one).isCloseTo((float) Math.E, within(1e-6f));
    assertThat(entries()).hasSize(1);
    assertThat(run(SLOW, CODE, 1)).isEqualTo(one);
    assertThat(entries()).hasSize(1);
    assertThat(run(SLOW, CODE, 0)).isEqualTo(1);
    assertThat(entries()).hasSize(2);
    assertThat(run(kernel(TirText.print(SLOW).replace("exp", "sqrt")), CODE, 0)).isZero();
    assertThat(entries()).hasSize(3);
    assertThat(run(SLOW, new byte[] {2}, 1)).isEqualTo(one);
    assertThat(entries()).hasSize(4);
  }

  @Test
  void aKnownEntryIsTakenWithoutTheEvaluator() throws IOException {
    run(SLOW, CODE, 1);
    Path entry = entries().getFirst();
    byte[] file = Files.readAllBytes(entry);
    byte[] content = new byte[file.length - 64];
    // As if exp were the number of another run: what the file has is what comes back.
    System.arraycopy(Digests.sha256(content), 0, file, 32, 32);
    System.arraycopy(content, 0, file, 64, content.length);
    Files.write(entry, file);
    assertThat(run(SLOW, CODE, 1)).isZero();
    Files.write(entry, new byte[] {1, 2, 3});
    assertThat(run(SLOW, CODE, 1)).isGreaterThan(2);
    assertThat(Files.size(entry))
        .as("size of the entry that was written again")
        .isEqualTo(file.length);
  }

  /** The kernel reads what it has written where its arguments share memory. */
  @Test
  void argumentsThatShareMemoryHaveAnEntryOfTheirOwn() throws IOException {
    PrimFunc twice =
        kernel(TirText.print(SLOW).replace("T.exp(A[v, w])", "A[299 - v, 299 - w] + T.float32(1)"));
    List<Object> separate = arguments(0);
    ExpectedTensors.in(folder, CODE).run(twice, separate);
    assertThat(entries()).hasSize(1);
    Tensor shared = Tensor.zeros(DType.FLOAT32, Shape.of(300, 300));
    ExpectedTensors.in(folder, CODE).run(twice, List.of(shared, shared));
    assertThat(entries()).hasSize(2);
    assertThat(result(separate)).isEqualTo(1);
    assertThat(result(List.of(shared))).isEqualTo(2);
  }

  /** Strided tensors, offsets and scalars too. */
  @Test
  void theCorpusComesBackAsTheEvaluatorGivesIt() {
    for (KernelCase kernel : KernelCorpus.sample(ExpectedTensorsTest.class, 100)) {
      Map<String, Long> binding = kernel.bindings().getLast();
      List<Object> expected = CorpusRun.arguments(kernel, binding);
      new Evaluator().run(kernel.function(), expected);
      for (int run = 0; run < 2; run++) {
        List<Object> got = new ArrayList<>(CorpusRun.arguments(kernel, binding));
        ExpectedTensors.in(folder, CODE).run(kernel.function(), got);
        assertThat(CorpusRun.compare(kernel, binding, expected, got)).isEmpty();
      }
    }
  }

  @Test
  void otherClassesHaveAnotherDigest() throws IOException {
    byte[] evaluator = Digests.ofCode(Evaluator.class);
    assertThat(Digests.ofCode(Evaluator.class)).isEqualTo(evaluator).hasSize(32);
    assertThat(Digests.ofCode(Tensor.class)).isNotEqualTo(evaluator);
    assertThat(Digests.ofCode(Evaluator.class, Tensor.class)).isNotEqualTo(evaluator);
  }
}
