package org.relaxvm.backendcpu;

import org.junit.jupiter.api.Nested;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelIrConformanceTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.corpus.KernelCase;

/** The kernels are right without vector code too. */
class PortableKernelsConformanceTest {
  private static final BackendUnderTest UNDER_TEST =
      BackendUnderTest.of(Portable::new)
          .with(
              Capability.HOST_MEMORY,
              Capability.INTEGERS,
              Capability.STRIDED_TENSORS,
              Capability.FLOAT16,
              Capability.BFLOAT16,
              Capability.FLOAT8,
              Capability.FLOAT64,
              Capability.WORKS_AFTER_CLOSE)
          .withModule(NegatedKernel.module());

  @Nested
  class KernelLibrary extends BaseKernelLibraryConformanceTest {
    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  @Nested
  class KernelIr extends BaseKernelIrConformanceTest {
    private static final int ONE_OF = 8;

    /** The same code runs on the tails of loops with vectors: a part of the corpus is enough. */
    @Override
    protected boolean includes(KernelCase kernel) {
      return Math.floorMod(kernel.name().hashCode(), ONE_OF) == 0;
    }

    @Override
    protected BackendUnderTest backendUnderTest() {
      return UNDER_TEST;
    }
  }

  /** The CPU as a JVM without vectors gives it. */
  private static final class Portable implements BackendProvider {
    @Override
    public int spiVersion() {
      return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
      return CpuBackend.NAME;
    }

    @Override
    public boolean host() {
      return true;
    }

    @Override
    public Probe probe() {
      return Probe.usable("without vectors");
    }

    @Override
    public Backend open(BackendOptions options) {
      return new CpuBackend(new CpuDevice(CpuFacts.read(), new VectorChoice(0, "a test")));
    }
  }
}
