package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;

/** The way into a backend: discovery, probing, opening. */
public abstract class BaseProviderConformanceTest extends BaseConformanceTest {
  @Test
  void theProviderWasCompiledAgainstThisSpi() {
    assertThat(provider().spiVersion()).isEqualTo(SpiVersion.CURRENT);
  }

  @Test
  void theNameIsTheKindOfItsDevices() {
    String name = provider().name();
    assertThat(name).matches(DeviceId.KIND_PATTERN);
    assertThat(backend().name()).isEqualTo(name);
    List<Device> devices = backend().devices();
    for (int i = 0; i < devices.size(); i++) {
      assertThat(devices.get(i).id()).isEqualTo(new DeviceId(name, i));
    }
  }

  @Test
  void probingIsRepeatableAndSaysWhatWasFound() {
    BackendProvider provider = provider();
    Probe first = provider.probe();
    assertThat(first).isEqualTo(provider.probe());
    assertThat(first.usable()).as("the kit runs where the backend works: %s", first).isTrue();
    assertThat(first.detail()).isNotBlank();
    assertThat(first.remedy()).isEmpty();
  }

  @Test
  void theServiceFileListsTheProviderWhenItIsDiscoverable() {
    Class<?> type = provider().getClass();
    boolean found =
        ServiceLoader.load(BackendProvider.class).stream()
            .anyMatch(candidate -> candidate.type().equals(type));
    assertThat(found).as("%s in META-INF/services", type).isEqualTo(can(Capability.DISCOVERABLE));
  }

  @Test
  void theListOfDevicesDoesNotChange() {
    assertThat(backend().devices()).isEqualTo(backend().devices());
  }

  @Test
  void twoOpenedBackendsDoNotShareTheirFate() {
    try (Backend other = provider().open()) {
      other.close();
    }
    device().free(device().allocate(16, 16, ""));
    session().stream().synchronize();
  }

  @Test
  void onlyAHostProviderHasHostDevices() {
    assertThat(provider().host()).isEqualTo(can(Capability.HOST_MEMORY));
    for (Device device : backend().devices()) {
      assertThat(device.isHost()).as("%s", device).isEqualTo(can(Capability.HOST_MEMORY));
    }
  }

  @Test
  void propertiesAreSound() {
    for (Device device : backend().devices()) {
      DeviceProperties properties = device.properties();
      assertThat(properties.name()).isNotBlank();
      assertThat(properties.totalMemoryBytes()).isNotNegative();
      assertThat(Long.bitCount(properties.minAlignment())).as("alignment").isOne();
      assertThat(properties.minAlignment()).isPositive();
      assertThat(properties.maxAllocationBytes()).isPositive();
      assertThat(device.properties()).isEqualTo(properties);
    }
  }

  private BackendProvider provider() {
    return backendUnderTest().provider().get();
  }
}
