package org.relaxvm.interoptvm.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.interoptvm.ChildJvm;
import org.relaxvm.testsupport.Effort;

/** Java code that compiled code calls, without stack or heap: in JVMs of their own. */
@Timeout(120)
@Tag("effort")
class ShortOfRoomTest {
  private static final int ROUNDS = Effort.chosen().pick(25, 70, 700);

  @TempDir Path folder;

  @Test
  void theEndOfTheStackFailsTheCallAndNothingElse() {
    Path library = Imitation.compile(folder, "deep.so");
    assertThat(ChildJvm.run(DeepCalls.class, List.of(), library, 400, Convention.FROM_0_21))
        .isEqualTo("calls that ran out of stack: 1600\n");
    assertThat(ChildJvm.run(DeepCalls.class, List.of("-Xint"), library, 10, Convention.FROM_0_21))
        .as("interpreted")
        .isEqualTo("calls that ran out of stack: 40\n");
  }

  @Test
  void theEndOfTheStackFailsTheCallOfAnOldLibraryAndNothingElse() {
    Path library = Imitation.compileOld(folder, "old.so");
    assertThat(ChildJvm.run(DeepCalls.class, List.of(), library, 200, Convention.UP_TO_0_20))
        .isEqualTo("calls that ran out of stack: 800\n");
  }

  @Test
  void aFullHeapFailsTheCallAndNothingElse() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("seed: -Drelaxvm.seed=" + seed);
    Path library = Imitation.compile(folder, "full.so");
    // Without buffers of threads each object is asked for on its own, so any of them may fail.
    String output =
        ChildJvm.run(
            FullHeapCalls.class,
            List.of("-Xmx12m", "-XX:+UseSerialGC", "-XX:-UseTLAB"),
            library,
            ROUNDS,
            seed);
    assertThat(output).contains("calls that failed: ").doesNotContain("calls that failed: 0\n");
  }
}
