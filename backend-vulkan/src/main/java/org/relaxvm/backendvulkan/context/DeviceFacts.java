package org.relaxvm.backendvulkan.context;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendvulkan.driver.DeviceKind;
import org.relaxvm.backendvulkan.driver.DeviceReport;
import org.relaxvm.backendvulkan.driver.DeviceReport.Driver;
import org.relaxvm.backendvulkan.driver.DeviceReport.Limits;
import org.relaxvm.backendvulkan.driver.DeviceReport.Subgroups;
import org.relaxvm.backendvulkan.driver.Feature;
import org.relaxvm.backendvulkan.driver.Vulkan;

/**
 * What a device says of itself, and what follows from it. Does not change.
 *
 * @param report its own words
 */
public record DeviceFacts(DeviceReport report) {
  /**
   * Vulkan does not tell how many work-groups run at the same time. Few make schedules split their
   * work less than they could, many make them add up parts for nothing; most GPUs have so many or
   * more.
   */
  private static final int GUESSED_GPU_UNITS = 16;

  /** Whether it can do something. */
  public boolean has(Feature feature) {
    return report.features().contains(feature);
  }

  /** Whether work-items that run in lockstep add and compare at once. */
  public boolean reducesInSubgroups() {
    Subgroups subgroups = report.subgroups();
    return subgroups.size() > 1
        && Stream.of("basic", "vote", "arithmetic").allMatch(subgroups.operations()::contains);
  }

  /** What it can be asked. */
  public Limits limits() {
    return report.limits();
  }

  /** What the kind of kernels that were compiled for it is called: another one cannot use them. */
  public String identity() {
    Driver driver = report.driver();
    return report.name() + "; " + driver.uuid() + "; " + driver.cacheUuid();
  }

  /** The version of the driver, for people and as a key. */
  public String driverVersion() {
    Driver driver = report.driver();
    return driver.info().isEmpty()
        ? Integer.toUnsignedString(driver.version())
        : driver.info() + " (" + Integer.toUnsignedString(driver.version()) + ")";
  }

  /** What schedules of kernels have to know. */
  public GpuLimits gpuLimits() {
    boolean isCpu = report.kind() == DeviceKind.CPU;
    return new GpuLimits(
        Math.clamp(
            Math.min(limits().maxWorkGroupItems(), limits().maxWorkGroupSize().getFirst()),
            1,
            Integer.MAX_VALUE),
        limits().sharedMemoryBytes(),
        1,
        // Shaders load element by element: work-items beside each other then use whole lines.
        1,
        isCpu ? Runtime.getRuntime().availableProcessors() : GUESSED_GPU_UNITS);
  }

  /** What {@code doctor} shows. */
  public DeviceProperties properties() {
    Driver driver = report.driver();
    Subgroups subgroups = report.subgroups();
    Map<String, String> details = new LinkedHashMap<>();
    details.put("type", report.kind().words());
    details.put("driver", (driver.name() + " " + driverVersion()).strip());
    details.put("version", Vulkan.versionText(report.apiVersion()));
    details.put(DeviceProperties.UUID, driver.uuid());
    details.put("largest block", mebibytes(limits().maxAllocationBytes()));
    details.put("storage buffer range", mebibytes(limits().maxStorageBufferRange()));
    details.put("storage buffers", limits().maxStageStorageBuffers() + " a kernel");
    details.put("push constants", limits().maxPushConstantBytes() + " bytes");
    details.put("alignment", alignment() + " bytes");
    details.put("shared memory", limits().sharedMemoryBytes() / 1024 + " KiB");
    details.put("largest group", limits().maxWorkGroupItems() + " work-items");
    details.put("subgroups", subgroups.size() + ": " + String.join(", ", subgroups.operations()));
    put(details, "float64", Feature.FLOAT64, "stored, computed as float32");
    put(details, "float16", Feature.FLOAT16, "stored, computed as float32");
    put(details, "int64", Feature.INT64, "no");
    put(details, "int8", Feature.INT8, "computed in 32 bits");
    put(details, "8-bit storage", Feature.STORAGE_8, "no");
    put(details, "16-bit storage", Feature.STORAGE_16, "no");
    put(details, "buffer addresses", Feature.BUFFER_ADDRESS, "no");
    details.put("timestamps", hasTimestamps() ? limits().nanosPerTick() + " ns" : "no");
    return new DeviceProperties(
        report.name(), limits().memoryBytes(), alignment(), limits().maxAllocationBytes(), details);
  }

  /** Of offsets in blocks that kernels of other compilers can start at, in bytes. */
  public long alignment() {
    return limits().storageOffsetAlignment();
  }

  /** Whether it tells when work was done. */
  public boolean hasTimestamps() {
    return report.queue().timestampBits() > 0 && limits().nanosPerTick() > 0;
  }

  private void put(Map<String, String> details, String name, Feature feature, String otherwise) {
    details.put(name, has(feature) ? "yes" : otherwise);
  }

  private static String mebibytes(long bytes) {
    return Long.divideUnsigned(bytes, 1 << 20) + " MiB";
  }
}
