package org.relaxvm.backendvulkan;

import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** The kit is green on the first device of Vulkan. */
@NeedsVulkan
class VulkanBackendConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE =
      ConformanceSample.of(VulkanBackendConformanceTest.class, 24);

  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(VulkanBackendProvider::new)
          .with(
              Capability.DISCOVERABLE,
              Capability.FLOAT16,
              Capability.BFLOAT16,
              Capability.FLOAT8,
              Capability.FLOAT64,
              Capability.INTEGERS)
          .withLiveBytes(device -> ((VulkanDevice) device).liveBytes())
          .withModule(NegatedKernel.module());

  @Override
  protected BackendUnderTest backendUnderTest() {
    return UNDER_TEST;
  }

  @Override
  protected boolean includes(KernelSignature kernel, DType dtype, int round) {
    return SAMPLE.includes(kernel);
  }

  @Override
  protected boolean includes(KernelCase kernel) {
    return SAMPLE.includes(kernel);
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
