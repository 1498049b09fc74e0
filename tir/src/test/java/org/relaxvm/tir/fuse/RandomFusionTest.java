package org.relaxvm.tir.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** {@code -Drelaxvm.seed=} repeats a run. */
class RandomFusionTest {
  private static final int CASES = 300;

  @Test
  void fusedKernelsGiveWhatTheirCallsGiveOneAfterTheOther() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("RandomFusionTest: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < CASES; i++) {
      Chains.Case made = new Chains(random).make();
      String text = TirText.print(made.fused());
      assertThat(Verifier.verify(made.fused()).loops()).isEmpty();
      new Evaluator().run(made.fused(), made.arguments());
      List<Tensor> outputs =
          made.arguments().stream()
              .filter(Tensor.class::isInstance)
              .map(Tensor.class::cast)
              .toList();
      int first = outputs.size() - made.expected().size();
      for (int k = 0; k < made.expected().size(); k++) {
        assertThat(outputs.get(first + k).toDoubleArray())
            .as("output %d of %s in case %d of seed %d: %s", k, made.log(), i, seed, text)
            .containsExactly(made.expected().get(k).toDoubleArray());
      }
    }
  }
}
