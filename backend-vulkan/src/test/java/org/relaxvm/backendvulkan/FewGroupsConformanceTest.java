package org.relaxvm.backendvulkan;

import org.junit.jupiter.api.Tag;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** Kernels of more groups than a dispatch has take several, along each axis. */
@NeedsVulkan
@Tag("full")
class FewGroupsConformanceTest extends BaseKernelIrConformanceTest {
  private static final int ONE_OF = 48;

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(() -> new VulkanBackendProvider(LesserDevices::fewGroups));
  }

  /** What has groups along more than one axis, and a few of the rest. */
  @Override
  protected boolean includes(KernelCase kernel) {
    return kernel.name().matches("(matmul|einsum|attention_blocks|transpose|permute).*_dynamic")
        || Math.floorMod(kernel.name().hashCode(), ONE_OF) == 0;
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
