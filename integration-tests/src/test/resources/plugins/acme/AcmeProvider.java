package acme;

import java.util.List;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

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
  public Backend open() {
    AcmeDevice device = new AcmeDevice();
    return new Backend() {
      @Override
      public String name() {
        return "acme";
      }

      @Override
      public List<Device> devices() {
        return List.of(device);
      }

      @Override
      public void close() {
        device.close();
      }
    };
  }
}
