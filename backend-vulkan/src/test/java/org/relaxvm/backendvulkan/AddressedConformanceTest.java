package org.relaxvm.backendvulkan;

import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;
import org.relaxvm.testsupport.Effort;

/** Kernels address their buffers where the device binds too little of them. */
@NeedsVulkan
class AddressedConformanceTest extends BaseKernelIrConformanceTest {
  private static final int ONE_OF = Effort.chosen().pick(72, 24, 4);

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(() -> new VulkanBackendProvider(LesserDevices::addressing));
  }

  /** A few are enough: what differs does not depend on the kernel. */
  @Override
  protected boolean includes(KernelCase kernel) {
    return Math.floorMod(kernel.name().hashCode(), ONE_OF) == 0;
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
