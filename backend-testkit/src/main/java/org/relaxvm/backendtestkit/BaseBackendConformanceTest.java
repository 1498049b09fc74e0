package org.relaxvm.backendtestkit;

import org.junit.jupiter.api.Nested;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/**
 * The whole kit: a backend's author extends this class, and each part of the contract is a nested
 * class of tests. What a device does not have, such as modules of kernels, is not asked for; what
 * it has but need not be tested in full can be left out kernel by kernel.
 */
public abstract class BaseBackendConformanceTest {
  /** The backend that is tested. */
  protected abstract BackendUnderTest backendUnderTest();

  /**
   * Whether a call of the kernel library with random arguments is made, as {@link
   * BaseKernelLibraryConformanceTest#includes}; by default all are.
   */
  protected boolean includes(KernelSignature kernel, DType dtype, int round) {
    return true;
  }

  /**
   * Whether a kernel of the corpus is run, as {@link BaseKernelIrConformanceTest#includes}; by
   * default all are.
   */
  protected boolean includes(KernelCase kernel) {
    return true;
  }

  /** How far results of a kernel of the corpus may be off; by default as far as it says. */
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance();
  }

  @Nested
  class Provider extends BaseProviderConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Allocator extends BaseAllocatorConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Copy extends BaseCopyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Stream extends BaseStreamConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Capture extends BaseCaptureConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }

    @Override
    protected boolean includes(KernelSignature kernel, DType dtype, int round) {
      return BaseBackendConformanceTest.this.includes(kernel, dtype, round);
    }
  }

  @Nested
  class KernelIr extends BaseKernelIrConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }

    @Override
    protected boolean includes(KernelCase kernel) {
      return BaseBackendConformanceTest.this.includes(kernel);
    }

    @Override
    protected Tolerance tolerance(KernelCase kernel) {
      return BaseBackendConformanceTest.this.tolerance(kernel);
    }
  }

  @Nested
  class Concurrency extends BaseConcurrencyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Lifecycle extends BaseLifecycleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }

  @Nested
  class Closing extends BaseClosingConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BaseBackendConformanceTest.this.backendUnderTest();
    }
  }
}
