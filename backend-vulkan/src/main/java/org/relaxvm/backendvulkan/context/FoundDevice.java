package org.relaxvm.backendvulkan.context;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendvulkan.driver.DeviceReport;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.slf4j.LoggerFactory;

/**
 * A device that a driver offers and that has what this backend needs.
 *
 * @param instance the instance that sees it
 * @param physical the device
 * @param facts what it says of itself
 */
public record FoundDevice(long instance, long physical, DeviceFacts facts) {
  static final String NEEDED = Vulkan.versionText(Vulkan.NEEDED_VERSION);

  /**
   * All devices that can be used: those first that are mostly the fastest, and else in the order of
   * the drivers. Only asks.
   *
   * @return one at least
   * @throws BackendException when there are none, with what to do
   */
  static List<FoundDevice> all(Vulkan vulkan, long instance) {
    List<FoundDevice> found = new ArrayList<>();
    List<String> unfit = new ArrayList<>();
    for (long physical : physicalDevices(vulkan, instance)) {
      DeviceReport report = vulkan.report(instance, physical);
      String fault = faultOf(report);
      if (fault.isEmpty()) {
        found.add(new FoundDevice(instance, physical, new DeviceFacts(report)));
      } else {
        LoggerFactory.getLogger(FoundDevice.class)
            .warn("a device of Vulkan is left out: {} {}", report.name(), fault);
        unfit.add(report.name() + " " + fault);
      }
    }
    if (found.isEmpty()) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          "no driver of Vulkan has a device that can be used"
              + (unfit.isEmpty() ? "" : ": " + String.join("; ", unfit))
              + "\n  what to do: see whether 'vulkaninfo --summary' shows the device, and whether"
              + " its driver is the newest one for it");
    }
    found.sort(Comparator.comparing(device -> device.facts().report().kind()));
    return List.copyOf(found);
  }

  private static List<Long> physicalDevices(Vulkan vulkan, long instance) {
    try {
      return vulkan.physicalDevices(instance);
    } catch (VulkanStatusException e) {
      throw Instance.unlisted(e);
    }
  }

  /** Why a device cannot be used; empty when it can. */
  private static String faultOf(DeviceReport report) {
    if (Integer.compareUnsigned(report.apiVersion(), Vulkan.NEEDED_VERSION) < 0) {
      return "has version "
          + Vulkan.versionText(report.apiVersion())
          + ", but "
          + NEEDED
          + " or later is needed";
    }
    if (report.queue().index() < 0) {
      return "has no queue that computes";
    }
    List<String> missing =
        Stream.of(Feature.TIMELINE, Feature.HOST_QUERY_RESET)
            .filter(feature -> !report.features().contains(feature))
            .map(Feature::vulkanName)
            .toList();
    return missing.isEmpty() ? "" : "lacks " + String.join(" and ", missing);
  }
}
