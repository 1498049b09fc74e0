package org.relaxvm.backendcuda;

import org.junit.jupiter.api.BeforeAll;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.corpus.Tolerance;

/** Kernels of more blocks than a launch has take several, along each axis. */
class FewBlocksConformanceTest extends BaseKernelIrConformanceTest {
  private static final Axes BLOCKS = new Axes(2, 2, 2);

  @BeforeAll
  static void requireCompiler() {
    NeedsHostCompiler.require();
  }

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(() -> EmulatedGpu.provider(new EmulatedCuda(1, 8, 0, 1024, BLOCKS)));
  }

  /** What has blocks along more than one axis. */
  @Override
  protected boolean includes(KernelCase kernel) {
    return kernel.name().matches("(matmul|attention_blocks|transpose|permute).*_dynamic");
  }

  @Override
  protected Tolerance tolerance(KernelCase kernel) {
    return kernel.tolerance().atLeast(1e-4, 0);
  }
}
