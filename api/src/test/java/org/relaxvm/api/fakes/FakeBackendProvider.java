package org.relaxvm.api.fakes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.api.spi.StateReport;

/** A backend provider that does what a test tells it to, and logs openings and closings. */
public class FakeBackendProvider implements BackendProvider {
  private final String name;
  private final List<String> log;
  private List<Device> devices;
  private int spiVersion = SpiVersion.CURRENT;
  private Supplier<Probe> probe = () -> Probe.usable("fake driver 1.0");
  private Supplier<Backend> open = this::ordinaryBackend;
  private Runnable close = () -> {};
  private Supplier<Map<String, String>> state = Map::of;
  private boolean host;

  public FakeBackendProvider(String name, List<String> log, int deviceCount) {
    this.name = name;
    this.log = log;
    this.devices =
        IntStream.range(0, deviceCount)
            .<Device>mapToObj(i -> new FakeDevice(name + ":" + i))
            .toList();
  }

  public FakeBackendProvider(String name, int deviceCount) {
    this(name, new ArrayList<>(), deviceCount);
  }

  public FakeBackendProvider withDevices(Device... newDevices) {
    devices = List.of(newDevices);
    return this;
  }

  public FakeBackendProvider withDevice(String id) {
    return withDevices(new FakeDevice(DeviceId.parse(id)));
  }

  public FakeBackendProvider withSpiVersion(int version) {
    spiVersion = version;
    return this;
  }

  public FakeBackendProvider withProbe(Supplier<Probe> newProbe) {
    probe = newProbe;
    return this;
  }

  public FakeBackendProvider withOpen(Supplier<Backend> newOpen) {
    open = newOpen;
    return this;
  }

  public FakeBackendProvider withClose(Runnable newClose) {
    close = newClose;
    return this;
  }

  public FakeBackendProvider withState(Supplier<Map<String, String>> newState) {
    state = newState;
    return this;
  }

  public FakeBackendProvider asHost() {
    host = true;
    return this;
  }

  @Override
  public int spiVersion() {
    return spiVersion;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean host() {
    return host;
  }

  @Override
  public Probe probe() {
    return probe.get();
  }

  @Override
  public Backend open(BackendOptions options) {
    log.add("open " + name);
    return open.get();
  }

  private Backend ordinaryBackend() {
    return new Opened();
  }

  private final class Opened implements Backend, StateReport {
    @Override
    public String name() {
      return name;
    }

    @Override
    public List<Device> devices() {
      return devices;
    }

    @Override
    public Map<String, String> state() {
      return state.get();
    }

    @Override
    public void close() {
      log.add("close " + name);
      close.run();
    }
  }
}
