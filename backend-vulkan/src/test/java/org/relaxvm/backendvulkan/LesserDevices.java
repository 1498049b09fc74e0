package org.relaxvm.backendvulkan;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.relaxvm.backendvulkan.driver.DeviceKind;
import org.relaxvm.backendvulkan.driver.DeviceReport;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** The driver of this machine, whose devices say less of themselves than is true. */
final class LesserDevices {
  private LesserDevices() {}

  private static Vulkan driver(UnaryOperator<DeviceReport> change) {
    FaultyDriver driver = new FaultyDriver();
    driver.answer("report", change.apply(Reports.real()));
    return driver.driver();
  }

  /** Devices that cannot compute with float64. */
  static Vulkan withoutFloat64() {
    return driver(
        report -> {
          Set<Feature> features = EnumSet.copyOf(report.features());
          features.remove(Feature.FLOAT64);
          return Reports.with(report, features);
        });
  }

  /** Devices that bind so little of a buffer that kernels address nearly all of theirs. */
  static Vulkan addressing() {
    return driver(report -> Reports.limited(report, report.limits().maxWorkGroupItems(), 16));
  }

  /**
   * Devices that dispatch so few work-groups at once that nearly all kernels take several
   * dispatches.
   */
  static Vulkan fewWorkGroups() {
    return driver(
        report ->
            Reports.few(report, 2, Math.toIntExact(report.limits().maxStageStorageBuffers())));
  }

  /** Devices with memory of their own, and as many units as GPUs are taken to have. */
  static Vulkan discrete() {
    return driver(report -> Reports.with(report, DeviceKind.DISCRETE));
  }
}
