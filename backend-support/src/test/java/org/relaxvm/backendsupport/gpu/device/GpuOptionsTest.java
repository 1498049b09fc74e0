package org.relaxvm.backendsupport.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.spi.BackendOption;

class GpuOptionsTest {
  @Test
  void optionsOfABackendFollowTheSharedOnes() {
    BackendOption own = BackendOption.of("fast", "on", "off", "relaxvm.test.fast", "Is fast.");
    assertThat(GpuOptions.with("relaxvm.test.failed", own))
        .extracting(BackendOption::name)
        .containsExactly("kernelCache", "kernelCacheMib", "dumpKernels", "failedSources", "fast");
  }
}
