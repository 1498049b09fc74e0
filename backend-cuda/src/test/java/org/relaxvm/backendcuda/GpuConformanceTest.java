package org.relaxvm.backendcuda;

import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** The kit is green on a GPU. */
@NeedsCuda
class GpuConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE = ConformanceSample.of(GpuConformanceTest.class, 8);

  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(CudaBackendProvider::new)
          .with(
              Capability.DISCOVERABLE,
              Capability.PEER_COPY,
              Capability.FLOAT16,
              Capability.BFLOAT16,
              Capability.FLOAT8,
              Capability.FLOAT64,
              Capability.INTEGERS)
          .withLiveBytes(device -> ((CudaDevice) device).liveBytes())
          .withModule(NegatedKernel.module());

  @Override
  protected BackendUnderTest backendUnderTest() {
    return UNDER_TEST;
  }

  @Override
  protected boolean includes(KernelSignature kernel, DType dtype, int round) {
    return SAMPLE.includes(kernel);
  }

  @Override
  protected boolean includes(KernelCase kernel) {
    return SAMPLE.includes(kernel);
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
