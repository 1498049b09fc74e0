package org.relaxvm.integrationtests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.testsupport.Effort;

/** A Java heap that is full in the middle of a call, for real, in JVMs of their own. */
class ShortOfMemoryTest {
  private static final int ROUNDS = Effort.chosen().pick(8, 20, 200);

  @Test
  void aFullHeapFailsTheCallAndNothingElse() throws Exception {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("seed: -Drelaxvm.seed=" + seed);
    // Without buffers of threads each object is asked for on its own, so any of them may fail.
    String output =
        ChildJvm.run(
                List.of("-Xmx12m", "-XX:+UseSerialGC", "-XX:-UseTLAB"),
                ChildJvm.main(ShortOfMemory.class),
                ROUNDS,
                seed)
            .requireOut();
    assertThat(output).contains("calls that failed: ").doesNotContain("calls that failed: 0\n");
  }

  @Test
  void aProgramThatFillsTheHeapFailsAndTheNextOneWorks() throws Exception {
    String output =
        ChildJvm.run(
                List.of("-Xmx32m", "-XX:+UseSerialGC"),
                ChildJvm.main(GrowingPrograms.class),
                "tuple",
                "closure",
                "main",
                "tuple")
            .requireOut();
    assertThat(output)
        .isEqualTo(
            """
            tuple: OutOfMemoryError
            closure: OutOfMemoryError
            main: OutOfMemoryError
            tuple: OutOfMemoryError
            """);
  }
}
