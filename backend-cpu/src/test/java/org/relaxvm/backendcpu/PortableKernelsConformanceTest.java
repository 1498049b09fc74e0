package org.relaxvm.backendcpu;

import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseKernelLibraryConformanceTest;
import org.relaxvm.backendtestkit.Capability;

/** The kernels are right without vector code too. */
class PortableKernelsConformanceTest extends BaseKernelLibraryConformanceTest {
  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(Portable::new)
        .with(
            Capability.HOST_MEMORY,
            Capability.INTEGERS,
            Capability.STRIDED_TENSORS,
            Capability.FLOAT16,
            Capability.BFLOAT16,
            Capability.FLOAT64,
            Capability.INTEGERS,
            Capability.WORKS_AFTER_CLOSE);
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
    public Backend open() {
      return new CpuBackend(new CpuDevice(CpuFacts.read(), new VectorChoice(0, "a test")));
    }
  }
}
