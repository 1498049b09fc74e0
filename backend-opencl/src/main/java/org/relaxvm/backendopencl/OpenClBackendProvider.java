package org.relaxvm.backendopencl;

import java.util.List;
import java.util.function.Supplier;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendopencl.driver.JoclDriver;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.gpu.device.GpuOptions;

/** Offers all devices of all OpenCL platforms of this machine. Thread-safe. */
public final class OpenClBackendProvider implements BackendProvider {
  private final Supplier<? extends OpenCl> driver;

  /** Called by {@link java.util.ServiceLoader}. */
  public OpenClBackendProvider() {
    this(JoclDriver::load);
  }

  /** With another driver, which each {@link #open()} makes. */
  OpenClBackendProvider(Supplier<? extends OpenCl> driver) {
    this.driver = driver;
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return OpenClBackend.NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable("OpenCL 1.2 or later, whose loader is looked for when it is opened");
  }

  @Override
  public List<BackendOption> options() {
    return GpuOptions.with(OpenClProgram.FAILED_SOURCES);
  }

  @Override
  public Backend open(BackendOptions options) {
    return OpenClBackend.open(driver.get(), options);
  }
}
