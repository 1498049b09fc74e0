package org.relaxvm.backendtestkit.broken;

import java.util.List;
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
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.KernelCorpus;

/** The kit over whatever backend the running test binds. */
final class BrokenKit {
  static final ScopedValue<BackendUnderTest> BACKEND = ScopedValue.newInstance();

  static final List<Class<?>> CLASSES =
      List.of(
          Provider.class,
          Allocator.class,
          Copy.class,
          Stream.class,
          Capture.class,
          Module.class,
          KernelIr.class,
          KernelLibrary.class,
          Concurrency.class,
          Lifecycle.class);

  /** A test of {@link KernelIr} that is of no kernel of the corpus. */
  static final String LONG_NAMES = "kernelsMayHaveLongNamesThatDifferAtTheEnd";

  /** The kernels that {@link KernelIr} runs: the first ones of the corpus. */
  static final List<String> KERNELS =
      KernelCorpus.kernels().stream().limit(12).map(KernelCase::name).toList();

  private BrokenKit() {}

  static class Provider extends BaseProviderConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Allocator extends BaseAllocatorConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Copy extends BaseCopyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Stream extends BaseStreamConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Capture extends BaseCaptureConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  /** The kit over a few kernels of the corpus, five to a module. */
  static class KernelIr extends BaseKernelIrConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }

    @Override
    protected boolean includes(KernelCase kernel) {
      return KERNELS.contains(kernel.name());
    }

    @Override
    protected int kernelsPerModule() {
      return 5;
    }
  }

  static class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Concurrency extends BaseConcurrencyConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }

  static class Lifecycle extends BaseLifecycleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
    }
  }
}
