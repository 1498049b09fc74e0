package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** The kit is green on an emulated device: all but the GPU and its driver is what users have. */
class EmulatedConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE =
      ConformanceSample.of(EmulatedConformanceTest.class, 64);

  private static final List<EmulatedCuda> DRIVERS = new CopyOnWriteArrayList<>();

  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(EmulatedConformanceTest::provider)
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

  @BeforeAll
  static void requireCompiler() {
    NeedsHostCompiler.require();
  }

  private static BackendProvider provider() {
    EmulatedCuda watched = new EmulatedCuda(1, 8, 9);
    DRIVERS.add(watched);
    return EmulatedGpu.provider(watched);
  }

  /** After the nested tests closed their backends. */
  @AfterEach
  void nothingIsLeftOver() {
    assertThat(DRIVERS).allSatisfy(driver -> assertThat(driver.liveHandles()).isEmpty());
    DRIVERS.clear();
  }

  @Override
  protected BackendUnderTest backendUnderTest() {
    return UNDER_TEST;
  }

  @Override
  protected boolean includes(KernelSignature kernel, DType dtype, int round) {
    return SAMPLE.includes(kernel);
  }

  /** GEMMs are always among them. */
  @Override
  protected boolean includes(KernelCase kernel) {
    return kernel.name().matches("(matmul|einsum).*_dynamic") || SAMPLE.includes(kernel);
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
