package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** The corpus is valid, can be written down, and runs. */
class KernelCorpusTest {
  private final List<KernelCase> kernels = KernelCorpus.kernels();

  @Test
  void thereAreManyKernelsWithNamesOfTheirOwn() {
    assertThat(kernels).hasSizeGreaterThan(1000);
    assertThat(kernels).extracting(KernelCase::name).doesNotHaveDuplicates();
    assertThat(kernels).allSatisfy(kernel -> assertThat(kernel.bindings()).isNotEmpty());
    assertThat(kernels)
        .allSatisfy(kernel -> assertThat(kernel.function().name()).isEqualTo(kernel.name()));
  }

  @Test
  void allAreValid() {
    List<String> wrong = new ArrayList<>();
    for (KernelCase kernel : kernels) {
      try {
        Verifier.verify(kernel.function());
      } catch (RelaxException e) {
        wrong.add(kernel.name() + ": " + e.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void allComeBackFromTheirText() {
    List<String> wrong = new ArrayList<>();
    for (KernelCase kernel : kernels) {
      String text = TirText.print(kernel.function());
      PrimFunc read = TirText.parse(text, kernel.name()).getFirst();
      boolean same =
          StructuralEquality.areEqual(kernel.function(), read) && TirText.print(read).equals(text);
      if (!same) {
        wrong.add(kernel.name());
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void allRunAndLoopsMayRunBackwards() {
    Evaluator backwards = new Evaluator(name -> Optional.empty(), true);
    List<String> wrong = new ArrayList<>();
    for (KernelCase kernel : kernels) {
      try {
        CorpusRun.run(kernel, backwards::run).ifPresent(found -> wrong.add(found.toString()));
      } catch (RelaxException e) {
        wrong.add(kernel.name() + ": " + e.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void argumentsAreTheSameEachTimeInNewMemory() {
    KernelCase kernel = kernels.getFirst();
    Map<String, Long> binding = kernel.bindings().getLast();
    List<Object> first = CorpusRun.arguments(kernel, binding);
    List<Object> again = CorpusRun.arguments(kernel, binding);
    assertThat(CorpusRun.compare(kernel, binding, first, again)).isEmpty();
    new Evaluator().run(kernel.function(), again);
    assertThat(CorpusRun.compare(kernel, binding, first, again)).isPresent();
  }

  @Test
  void whatDiffersIsNamed() {
    KernelCase kernel =
        kernels.stream()
            .filter(candidate -> candidate.name().equals("add_float32_static"))
            .findFirst()
            .orElseThrow();
    Mismatch mismatch = CorpusRun.run(kernel, (function, args) -> {}).orElseThrow();
    assertThat(mismatch.toString())
        .startsWith("add_float32_static with {}: Y[0, 0] must be ")
        .contains(", but is ");
  }
}
