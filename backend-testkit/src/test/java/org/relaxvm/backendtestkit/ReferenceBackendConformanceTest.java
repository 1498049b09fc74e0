package org.relaxvm.backendtestkit;

import org.junit.jupiter.api.Tag;
import org.relaxvm.backendtestkit.corpus.KernelCase;

/**
 * The kit is green on the reference backend. It evaluates kernels, as the kit itself does for what
 * it expects; at quick effort a part of the corpus shows that.
 */
@Tag("effort")
class ReferenceBackendConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE =
      ConformanceSample.of(ReferenceBackendConformanceTest.class, 8);

  @Override
  protected BackendUnderTest backendUnderTest() {
    return Backends.reference();
  }

  @Override
  protected boolean includes(KernelCase kernel) {
    return SAMPLE.includes(kernel);
  }
}
