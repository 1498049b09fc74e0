package org.relaxvm.backendvulkan;

import java.util.List;
import java.util.Set;
import org.relaxvm.backendvulkan.driver.DeviceKind;
import org.relaxvm.backendvulkan.driver.DeviceReport;
import org.relaxvm.backendvulkan.driver.DeviceReport.Limits;
import org.relaxvm.backendvulkan.driver.DeviceReport.QueueFamily;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.driver.LwjglVulkan;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** What devices say of themselves, with something changed. */
final class Reports {
  private Reports() {}

  /** What the first device of this machine says. */
  static DeviceReport real() {
    Vulkan driver = LwjglVulkan.load();
    long instance = driver.createInstance();
    try {
      return driver.report(instance, driver.physicalDevices(instance).getFirst());
    } finally {
      driver.destroyInstance(instance);
    }
  }

  static DeviceReport named(DeviceReport report, String name, DeviceKind kind, int version) {
    return new DeviceReport(
        name,
        kind,
        version,
        report.driver(),
        report.limits(),
        report.subgroups(),
        report.features(),
        report.float32(),
        report.float64(),
        report.queue());
  }

  static DeviceReport with(DeviceReport report, DeviceKind kind) {
    return named(report, report.name(), kind, report.apiVersion());
  }

  static DeviceReport with(DeviceReport report, Set<Feature> features) {
    return with(report, report.limits(), features, report.queue());
  }

  static DeviceReport with(DeviceReport report, Limits limits) {
    return with(report, limits, report.features(), report.queue());
  }

  /** With smaller work-groups, and less of a buffer that kernels see. */
  static DeviceReport limited(DeviceReport report, long workGroupItems, long bufferRange) {
    Limits real = report.limits();
    return with(
        report,
        new Limits(
            real.memoryBytes(),
            real.maxAllocationBytes(),
            bufferRange,
            real.maxUniformBufferRange(),
            real.storageOffsetAlignment(),
            real.uniformOffsetAlignment(),
            real.maxStageStorageBuffers(),
            real.maxPushConstantBytes(),
            workGroupItems,
            real.maxWorkGroupSize(),
            real.maxWorkGroupCount(),
            real.sharedMemoryBytes(),
            real.nanosPerTick()));
  }

  /** With few work-groups of a dispatch, and few buffers of a kernel. */
  static DeviceReport few(DeviceReport report, long workGroups, long buffers) {
    Limits real = report.limits();
    return with(
        report,
        new Limits(
            real.memoryBytes(),
            real.maxAllocationBytes(),
            real.maxStorageBufferRange(),
            real.maxUniformBufferRange(),
            real.storageOffsetAlignment(),
            real.uniformOffsetAlignment(),
            buffers,
            real.maxPushConstantBytes(),
            real.maxWorkGroupItems(),
            real.maxWorkGroupSize(),
            List.of(workGroups, workGroups, workGroups),
            real.sharedMemoryBytes(),
            real.nanosPerTick()));
  }

  static DeviceReport with(DeviceReport report, QueueFamily queue) {
    return with(report, report.limits(), report.features(), queue);
  }

  private static DeviceReport with(
      DeviceReport report, Limits limits, Set<Feature> features, QueueFamily queue) {
    return new DeviceReport(
        report.name(),
        report.kind(),
        report.apiVersion(),
        report.driver(),
        limits,
        report.subgroups(),
        features,
        report.float32(),
        report.float64(),
        queue);
  }
}
