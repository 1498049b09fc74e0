package org.relaxvm.backendtestkit.nulldevice;

import java.util.List;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers the device {@code null:0}, for measuring the core.
 *
 * <p>Its blocks have a size and no content; allocating never fails. A copy from it leaves the
 * target as it was. Its library offers every kernel of the table; a kernel neither looks at its
 * arguments nor writes its output. It loads modules of every format, with every symbol.
 *
 * <p>It is not listed for {@link java.util.ServiceLoader}: tests and benchmarks add it to a
 * registry themselves. Thread-safe.
 */
public final class NullBackendProvider implements BackendProvider {
  /** The name of the backend and the kind of its device. */
  public static final String NAME = "null";

  /** Offers the device. */
  public NullBackendProvider() {}

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable("does nothing");
  }

  @Override
  public Backend open(BackendOptions options) {
    return new Opened(List.of(new NullDevice(new DeviceId(NAME, 0))));
  }

  private record Opened(List<Device> devices) implements Backend {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void close() {}
  }
}
