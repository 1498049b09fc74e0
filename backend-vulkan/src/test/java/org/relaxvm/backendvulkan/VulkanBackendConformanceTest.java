package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** The kit is green on the first device of Vulkan. */
@NeedsVulkan
class VulkanBackendConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE =
      ConformanceSample.of(VulkanBackendConformanceTest.class, 24);

  private static final List<Vulkan> DRIVERS = new CopyOnWriteArrayList<>();

  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(VulkanBackendConformanceTest::provider)
          .with(
              Capability.DISCOVERABLE,
              Capability.FLOAT16,
              Capability.BFLOAT16,
              Capability.FLOAT8,
              Capability.FLOAT64,
              Capability.INTEGERS)
          .withLiveBytes(device -> ((VulkanDevice) device).liveBytes())
          .withModule(NegatedKernel.module());

  private static BackendProvider provider() {
    Vulkan watched = LwjglVulkan.load();
    DRIVERS.add(watched);
    return new VulkanBackendProvider(() -> watched);
  }

  /** After the nested tests closed their backends. */
  @AfterEach
  void nothingIsLeftOver() {
    assertThat(DRIVERS).allSatisfy(driver -> assertThat(driver.liveHandles()).isEmpty());
    DRIVERS.clear();
  }

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
