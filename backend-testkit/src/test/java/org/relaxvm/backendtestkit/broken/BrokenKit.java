package org.relaxvm.backendtestkit.broken;

import java.util.List;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseAllocatorConformanceTest;
import org.relaxvm.backendtestkit.BaseConcurrencyConformanceTest;
import org.relaxvm.backendtestkit.BaseCopyConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.BaseLifecycleConformanceTest;
import org.relaxvm.backendtestkit.BaseModuleConformanceTest;
import org.relaxvm.backendtestkit.BaseProviderConformanceTest;
import org.relaxvm.backendtestkit.BaseStreamConformanceTest;

/** The kit over whatever backend the running test binds. */
final class BrokenKit {
  static final ScopedValue<BackendUnderTest> BACKEND = ScopedValue.newInstance();

  static final List<Class<?>> CLASSES =
      List.of(
          Provider.class,
          Allocator.class,
          Copy.class,
          Stream.class,
          Module.class,
          KernelLibrary.class,
          Concurrency.class,
          Lifecycle.class);

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

  static class Module extends BaseModuleConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return BACKEND.get();
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
