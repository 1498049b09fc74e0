package org.relaxvm.backendcpu;

import org.junit.jupiter.api.Nested;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseAllocatorConformanceTest;
import org.relaxvm.backendtestkit.BaseConcurrencyConformanceTest;
import org.relaxvm.backendtestkit.BaseCopyConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.BaseLifecycleConformanceTest;
import org.relaxvm.backendtestkit.BaseModuleConformanceTest;
import org.relaxvm.backendtestkit.BaseProviderConformanceTest;
import org.relaxvm.backendtestkit.BaseStreamConformanceTest;
import org.relaxvm.backendtestkit.Capability;

/** The kit is green on the CPU backend. */
class CpuBackendConformanceTest {
  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(CpuBackendProvider::new)
          .with(
              Capability.DISCOVERABLE,
              Capability.HOST_MEMORY,
              Capability.STRIDED_TENSORS,
              Capability.FLOAT16,
              Capability.BFLOAT16,
              Capability.FLOAT8,
              Capability.FLOAT64,
              Capability.INTEGERS,
              Capability.WORKS_AFTER_CLOSE)
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

  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class KernelIr extends BaseKernelIrConformanceTest {
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
