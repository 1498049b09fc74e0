package org.relaxvm.backendvulkan;

import org.junit.jupiter.api.Tag;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;
import org.relaxvm.testsupport.Effort;

/** Kernels of more work-groups than a dispatch has take several, along each axis. */
@NeedsVulkan
@Tag("full")
class FewWorkGroupsConformanceTest extends BaseKernelIrConformanceTest {
  private static final int ONE_OF = Effort.chosen().pick(96, 48, 8);
  private static final int ONE_OF_MANY_AXES = Effort.chosen().pick(4, 1, 1);

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(() -> new VulkanBackendProvider(LesserDevices::fewWorkGroups));
  }

  /** What has work-groups along more than one axis, or some of it, and a few of the others. */
  @Override
  protected boolean includes(KernelCase kernel) {
    boolean hasManyAxes =
        kernel.name().matches("(matmul|einsum|attention_blocks|transpose|permute).*_dynamic");
    return Math.floorMod(kernel.name().hashCode(), hasManyAxes ? ONE_OF_MANY_AXES : ONE_OF) == 0;
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
