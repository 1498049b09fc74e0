package org.relaxvm.backendcpu;

import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;

/** The kit is green on the CPU backend. */
class CpuBackendConformanceTest extends BaseBackendConformanceTest {
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
}
