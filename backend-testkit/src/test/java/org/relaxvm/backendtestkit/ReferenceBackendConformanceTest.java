package org.relaxvm.backendtestkit;

import org.junit.jupiter.api.Nested;

/** The kit is green on the reference backend. */
class ReferenceBackendConformanceTest {
  @Nested
  class Provider extends BaseProviderConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Allocator extends BaseAllocatorConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Copy extends BaseCopyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Stream extends BaseStreamConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Capture extends BaseCaptureConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class KernelIr extends BaseKernelIrConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Concurrency extends BaseConcurrencyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }

  @Nested
  class Lifecycle extends BaseLifecycleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.reference();
    }
  }
}
