package acme;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.api.spi.StateReport;

/** Offers the device {@code acme:0}. */
public final class AcmeProvider implements BackendProvider {
  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "acme";
  }

  @Override
  public Probe probe() {
    return Probe.usable("always");
  }

  @Override
  public Backend open(BackendOptions options) {
    return new AcmeBackend(new AcmeDevice());
  }

  /** Says of itself what changes. */
  private record AcmeBackend(AcmeDevice device) implements Backend, StateReport {
    @Override
    public String name() {
      return "acme";
    }

    @Override
    public List<Device> devices() {
      return List.of(device);
    }

    @Override
    public Map<String, String> state() {
      return Map.of("kernel cache", "3 kernels");
    }

    @Override
    public void close() {
      device.close();
    }
  }
}
