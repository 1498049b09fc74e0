package org.relaxvm.backendvulkan;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseAllocatorConformanceTest;
import org.relaxvm.backendtestkit.BaseCaptureConformanceTest;
import org.relaxvm.backendtestkit.BaseConcurrencyConformanceTest;
import org.relaxvm.backendtestkit.BaseCopyConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.BaseLifecycleConformanceTest;
import org.relaxvm.backendtestkit.BaseModuleConformanceTest;
import org.relaxvm.backendtestkit.BaseProviderConformanceTest;
import org.relaxvm.backendtestkit.BaseStreamConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** The kit is green on the first device of Vulkan. */
@NeedsVulkan
class VulkanBackendConformanceTest {
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

  @Nested
  class Provider extends BaseProviderConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Allocator extends BaseAllocatorConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Copy extends BaseCopyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Stream extends BaseStreamConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  /**
   * Each call may build a program, so that only some are made unless {@code -Drelaxvm.library=all}
   * asks for all.
   */
  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    private final LibrarySample sample = LibrarySample.ofSystemProperties();

    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }

    @Override
    protected boolean includes(KernelSignature kernel, DType dtype, int round) {
      return sample.includes(kernel);
    }
  }

  @Nested
  class KernelIr extends BaseKernelIrConformanceTest {
    private static final int ONE_OF = 8;
    private static final String KERNELS = System.getProperty("relaxvm.kernels", "");
    private static final long SEED = Long.getLong("relaxvm.seed", System.nanoTime());

    @Override
    protected Tolerance tolerance(KernelCase kernel) {
      return kernel.tolerance().atLeast(1e-4, 0);
    }

    /** All kernels with {@code -Drelaxvm.kernels=all}, else those that the seed chooses. */
    @Override
    protected boolean includes(KernelCase kernel) {
      return KERNELS.equals("all") || Math.floorMod((kernel.name() + SEED).hashCode(), ONE_OF) == 0;
    }

    @BeforeAll
    static void sayWhichKernels() {
      System.out.println(
          "VulkanBackendConformanceTest: kernels of the corpus: "
              + (KERNELS.equals("all")
                  ? "all"
                  : "1 of " + ONE_OF + ", -Drelaxvm.seed=" + SEED + " (-Drelaxvm.kernels=all)"));
    }

    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Capture extends BaseCaptureConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Concurrency extends BaseConcurrencyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class Lifecycle extends BaseLifecycleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }
}
