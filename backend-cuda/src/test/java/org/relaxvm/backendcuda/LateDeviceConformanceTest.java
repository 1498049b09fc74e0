package org.relaxvm.backendcuda;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseAllocatorConformanceTest;
import org.relaxvm.backendtestkit.BaseConcurrencyConformanceTest;
import org.relaxvm.backendtestkit.BaseCopyConformanceTest;
import org.relaxvm.backendtestkit.BaseLifecycleConformanceTest;
import org.relaxvm.backendtestkit.BaseModuleConformanceTest;
import org.relaxvm.backendtestkit.BaseProviderConformanceTest;
import org.relaxvm.backendtestkit.BaseStreamConformanceTest;
import org.relaxvm.backendtestkit.Capability;

/**
 * The kit is green on a device that works as late as it may: nothing relies on work that was given
 * to a stream and not waited for.
 */
class LateDeviceConformanceTest {
  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(LateDeviceConformanceTest::provider)
          .with(Capability.DISCOVERABLE, Capability.PEER_COPY)
          .excluding(
              "BaseConcurrencyConformanceTest.kernelsOfManyThreadsDoNotMix",
              "the device knows no kernel of the library")
          .withLiveBytes(device -> ((CudaDevice) device).liveBytes())
          .withModule(NegatedKernel.module());

  private static CudaBackendProvider provider() {
    FakeBackend fake = new FakeBackend();
    fake.cuda.devices =
        List.of(
            RecordingCuda.device("NVIDIA H100", "GPU-1", 9, 0),
            RecordingCuda.device("NVIDIA H100", "GPU-2", 9, 0));
    return fake.provider();
  }

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
