package org.relaxvm.backendcpu;

import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcpu.vector.VectorChoice;

/** Offers the host CPU, which every machine has. Thread-safe. */
public final class CpuBackendProvider implements BackendProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public CpuBackendProvider() {}

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return CpuBackend.NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable(
        System.getProperty("os.arch") + ", " + CpuFacts.cores(Runtime.getRuntime()));
  }

  @Override
  public boolean host() {
    return true;
  }

  @Override
  public Backend open() {
    return new CpuBackend(new CpuDevice(CpuFacts.read(), VectorChoice.get()));
  }
}
