package org.relaxvm.backendtestkit.reference;

import java.util.List;
import java.util.function.Function;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/**
 * Offers the devices {@code reference:0} and {@code reference:1}, which work everywhere. It is not
 * listed for {@link java.util.ServiceLoader}: tests add it to a registry themselves. Thread-safe.
 */
public class ReferenceBackendProvider implements BackendProvider {
  /** The name of the backend and the kind of its devices. */
  public static final String NAME = "reference";

  private final Function<DeviceId, ? extends ReferenceDevice> makeDevice;

  /** Offers two devices. */
  public ReferenceBackendProvider() {
    this(ReferenceDevice::new);
  }

  /**
   * Offers two devices of another class.
   *
   * @param makeDevice makes the device of a name; called by {@link #open()}
   */
  public ReferenceBackendProvider(Function<DeviceId, ? extends ReferenceDevice> makeDevice) {
    this.makeDevice = makeDevice;
  }

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
    return Probe.usable("plain Java, two devices");
  }

  @Override
  public Backend open(BackendOptions options) {
    return new ReferenceBackend(
        NAME,
        List.of(makeDevice.apply(new DeviceId(NAME, 0)), makeDevice.apply(new DeviceId(NAME, 1))));
  }
}
