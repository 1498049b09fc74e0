package org.relaxvm.backendvulkan.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendvulkan.NeedsValidation;

/** What the validation layer is there for: without these it could be silent for other reasons. */
@NeedsValidation
class ValidationTest {
  @Test
  void theLayerFindsWhatIsLeftOverAndCopiesThatRace() throws IOException, InterruptedException {
    assertThat(ChildJvm.run(MisuseIt.class, Map.of(), List.of("-Drelaxvm.vulkan.validation=true")))
        .containsPattern("(?m)^found: .*SYNC-HAZARD-WRITE-AFTER-WRITE")
        .containsPattern("(?m)^found: .*VUID-vkDestroyDevice-device-")
        .endsWith("and then: []\n");
  }

  @Test
  void nobodyWatchesUnlessAsked() throws IOException, InterruptedException {
    assertThat(ChildJvm.run(MisuseIt.class, Map.of(), List.of())).isEqualTo("and then: []\n");
  }
}
