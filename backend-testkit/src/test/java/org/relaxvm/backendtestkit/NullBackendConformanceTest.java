package org.relaxvm.backendtestkit;

import org.junit.jupiter.api.Nested;

/** The kit is green on the null backend, but for what that never does. */
class NullBackendConformanceTest {
  @Nested
  class Provider extends BaseProviderConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Allocator extends BaseAllocatorConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Copy extends BaseCopyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Stream extends BaseStreamConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Capture extends BaseCaptureConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class KernelIr extends BaseKernelIrConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Concurrency extends BaseConcurrencyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }

  @Nested
  class Lifecycle extends BaseLifecycleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return Backends.nothing();
    }
  }
}
