package org.relaxvm.backendcpu;

import org.junit.jupiter.api.Tag;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.corpus.KernelCase;

/**
 * The kit is green on the CPU backend: all of the library, of the corpus a half at quick effort.
 */
@Tag("effort")
class CpuBackendConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE =
      ConformanceSample.of(CpuBackendConformanceTest.class, 2);

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

  @Override
  protected BackendUnderTest backendUnderTest() {
    return UNDER_TEST;
  }

  @Override
  protected boolean includes(KernelCase kernel) {
    return SAMPLE.includes(kernel);
  }
}
