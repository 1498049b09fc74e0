package com.example.metering;

import org.junit.jupiter.api.Nested;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseAllocatorConformanceTest;
import org.relaxvm.backendtestkit.BaseConcurrencyConformanceTest;
import org.relaxvm.backendtestkit.BaseCopyConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.BaseLifecycleConformanceTest;
import org.relaxvm.backendtestkit.BaseModuleConformanceTest;
import org.relaxvm.backendtestkit.BaseProviderConformanceTest;
import org.relaxvm.backendtestkit.BaseStreamConformanceTest;
import org.relaxvm.backendtestkit.Capability;

// snippet: conformance
/**
 * The kit on this device. It is found by its service file, and the kit is told so; what it is not
 * told of (strides, float64, integers, modules at run time), the device must refuse.
 */
class MeteringConformanceTest {
  private static final BackendUnderTest METERING =
      BackendUnderTest.of(MeteringBackendProvider::new)
          .with(Capability.DISCOVERABLE)
          .withLiveBytes(device -> ((MeteringDevice) device).liveBytes());

  @Nested
  class Provider extends BaseProviderConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  // end

  @Nested
  class Allocator extends BaseAllocatorConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  @Nested
  class Copy extends BaseCopyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  @Nested
  class Stream extends BaseStreamConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  @Nested
  class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  @Nested
  class Concurrency extends BaseConcurrencyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }

  @Nested
  class Lifecycle extends BaseLifecycleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return METERING;
    }
  }
}
