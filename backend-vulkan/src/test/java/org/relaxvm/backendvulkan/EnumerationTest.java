package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.backendvulkan.driver.DeviceKind;
import org.relaxvm.backendvulkan.driver.DeviceReport;
import org.relaxvm.backendvulkan.driver.DeviceReport.QueueFamily;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** What machines answer that have no device. */
@NeedsVulkan
class EnumerationTest {
  private static final String REMEDY =
      "\n  what to do: see whether 'vulkaninfo --summary' shows the device, and whether its driver"
          + " is the newest one for it";

  private final FaultyDriver faults = new FaultyDriver();

  @Test
  void aLoaderWithoutDriversSaysWhatToInstall() {
    faults.fail("createInstance", "vkCreateInstance", Vulkan.INCOMPATIBLE_DRIVER);
    refuses(
        "the loader of Vulkan works, but finds no driver\n  what to do: install the driver of the"
            + " device, which puts a file *.json into /usr/share/vulkan/icd.d (or where"
            + " VK_DRIVER_FILES names it); on Debian this is the package mesa-vulkan-drivers, which"
            + " has one for the CPU, too");
  }

  @Test
  void withoutTheLayerThatIsAskedForItSaysWhatToInstall() {
    faults.fail("createInstance", "vkCreateInstance", Vulkan.LAYER_NOT_PRESENT);
    refuses(
        "the validation layer of Vulkan is asked for by -Drelaxvm.vulkan.validation=true, but the"
            + " loader does not find it\n  what to do: install it, on Debian the package"
            + " vulkan-validationlayers, or leave out the setting");
  }

  @Test
  void whatTheLayerFindsFailsTheEndOfTheBackend() {
    faults.answer("faults", List.of("a first one", "a second one"));
    Backend backend = new VulkanBackendProvider(faults::driver).open();
    assertThatThrownBy(backend::close)
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "the validation layer of Vulkan found 2 faults in how its devices were used, of which"
                + " the first is: a first one\n  what to do: report it with this text; all of them"
                + " are in the log");
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void aLoaderThatFailsSaysItsCode() {
    String remedy =
        "\n  what to do: see whether 'vulkaninfo' works; if not, install the driver again";
    faults.fail("createInstance", "vkCreateInstance", Vulkan.OUT_OF_HOST_MEMORY);
    refuses(
        "the devices of Vulkan cannot be listed: vkCreateInstance failed with"
            + " VK_ERROR_OUT_OF_HOST_MEMORY (-1)"
            + remedy);
    faults.heal("createInstance");
    faults.fail("physicalDevices", "vkEnumeratePhysicalDevices", Vulkan.INITIALIZATION_FAILED);
    refuses(
        "the devices of Vulkan cannot be listed: vkEnumeratePhysicalDevices failed with"
            + " VK_ERROR_INITIALIZATION_FAILED (-3)"
            + remedy);
  }

  @Test
  void anOldLoaderIsNamedWithItsVersion() {
    faults.answer("loaderVersion", (1 << 22) | (1 << 12) | 126);
    refuses(
        "the loader of Vulkan has version 1.1.126, but 1.2.0 or later is needed\n  what to do:"
            + " install a newer one; on Debian this is the package libvulkan1");
  }

  @Test
  void withoutDevicesTheMessageSaysSo() {
    faults.answer("physicalDevices", List.of());
    refuses("no driver of Vulkan has a device that can be used" + REMEDY);
  }

  @Test
  void devicesThatAreTooOldOrLackFeaturesAreNamedWhenThereIsNoOther() {
    DeviceReport good = Reports.named(Reports.real(), "one", DeviceKind.OTHER, 1 << 22 | 2 << 12);
    faults.answer("report", Reports.named(good, "old one", DeviceKind.OTHER, 1 << 22 | 1 << 12));
    refuses(
        "no driver of Vulkan has a device that can be used: old one has version 1.1.0, but 1.2.0"
            + " or later is needed"
            + REMEDY);
    faults.answer("report", Reports.with(good, Set.of(Feature.INT64)));
    refuses(
        "no driver of Vulkan has a device that can be used: one lacks timelineSemaphore and"
            + " hostQueryReset"
            + REMEDY);
    faults.answer("report", Reports.with(good, new QueueFamily(-1, 0)));
    refuses(
        "no driver of Vulkan has a device that can be used: one has no queue that computes"
            + REMEDY);
  }

  @Test
  void fasterKindsOfDevicesComeFirst() {
    DeviceReport real = Reports.real();
    Map<Long, DeviceReport> reports = new LinkedHashMap<>();
    for (DeviceKind kind : List.of(DeviceKind.CPU, DeviceKind.INTEGRATED, DeviceKind.DISCRETE)) {
      for (int number = 1; number <= 2; number++) {
        reports.put(
            reports.size() + 1L,
            Reports.named(real, kind.words() + " " + number, kind, real.apiVersion()));
      }
    }
    faults.answer("physicalDevices", List.copyOf(reports.keySet()));
    faults.answer("report", args -> reports.get(args[1]));
    try (Backend backend = new VulkanBackendProvider(faults::driver).open()) {
      assertThat(backend.devices())
          .extracting(device -> device + " " + device.properties().name())
          .containsExactly(
              "vulkan:0 discrete GPU 1",
              "vulkan:1 discrete GPU 2",
              "vulkan:2 integrated GPU 1",
              "vulkan:3 integrated GPU 2",
              "vulkan:4 CPU 1",
              "vulkan:5 CPU 2");
    }
    assertThat(faults.liveHandles()).isEmpty();
  }

  private void refuses(String message) {
    assertThatThrownBy(() -> new VulkanBackendProvider(faults::driver).open())
        .isInstanceOf(BackendException.class)
        .hasMessage(message);
    assertThat(faults.liveHandles()).isEmpty();
  }
}
