package org.relaxvm.backendvulkan.driver;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VkMemoryHeap;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Properties;
import org.lwjgl.vulkan.VkQueueFamilyProperties;
import org.relaxvm.backendvulkan.driver.DeviceReport.Driver;
import org.relaxvm.backendvulkan.driver.DeviceReport.Floats;
import org.relaxvm.backendvulkan.driver.DeviceReport.Limits;
import org.relaxvm.backendvulkan.driver.DeviceReport.QueueFamily;
import org.relaxvm.backendvulkan.driver.DeviceReport.Subgroups;

/** Asks devices what they are. Stateless. */
final class LwjglReports {
  private LwjglReports() {}

  static DeviceReport of(VkPhysicalDevice device) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
      VK10.vkGetPhysicalDeviceProperties(device, properties);
      return Integer.compareUnsigned(properties.apiVersion(), Vulkan.NEEDED_VERSION) < 0
          ? old(stack, device, properties)
          : modern(stack, device);
    }
  }

  /** A device whose version is too low to ask it more. */
  private static DeviceReport old(
      MemoryStack stack, VkPhysicalDevice device, VkPhysicalDeviceProperties properties) {
    long memory = memoryBytes(stack, device);
    return new DeviceReport(
        properties.deviceNameString(),
        DeviceKind.of(properties.deviceType()),
        properties.apiVersion(),
        new Driver(
            "",
            "",
            properties.driverVersion(),
            properties.vendorID(),
            "",
            uuid(properties.pipelineCacheUUID())),
        limits(properties.limits(), memory, memory),
        new Subgroups(0, List.of()),
        Set.of(),
        Floats.NONE,
        Floats.NONE,
        queue(stack, device));
  }

  private static DeviceReport modern(MemoryStack stack, VkPhysicalDevice device) {
    VkPhysicalDeviceVulkan13Properties v13 =
        VkPhysicalDeviceVulkan13Properties.calloc(stack).sType$Default();
    VkPhysicalDeviceVulkan12Properties v12 =
        VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
    VkPhysicalDeviceVulkan11Properties v11 =
        VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default().pNext(v12.address());
    VkPhysicalDeviceProperties2 all =
        VkPhysicalDeviceProperties2.calloc(stack).sType$Default().pNext(v11.address());
    VK11.vkGetPhysicalDeviceProperties2(device, all);
    VkPhysicalDeviceProperties properties = all.properties();
    long maxAllocation = v11.maxMemoryAllocationSize();
    // Both the loader and the device must have it.
    boolean newest =
        device.getCapabilities().apiVersion >= Vulkan.NEWEST_VERSION
            && properties.apiVersion() >= Vulkan.NEWEST_VERSION;
    if (newest) {
      v12.pNext(v13.address());
      VK11.vkGetPhysicalDeviceProperties2(device, all);
      maxAllocation = smaller(maxAllocation, v13.maxBufferSize());
    }
    long memory = memoryBytes(stack, device);
    return new DeviceReport(
        properties.deviceNameString(),
        DeviceKind.of(properties.deviceType()),
        properties.apiVersion(),
        new Driver(
            v12.driverNameString(),
            v12.driverInfoString(),
            properties.driverVersion(),
            properties.vendorID(),
            uuid(v11.deviceUUID()),
            uuid(properties.pipelineCacheUUID())),
        limits(properties.limits(), memory, smaller(maxAllocation, memory)),
        subgroups(v11),
        LwjglFeatures.of(stack, device, newest),
        float32(v12),
        float64(v12),
        queue(stack, device));
  }

  private static long smaller(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? a : b;
  }

  private static String uuid(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    String hex = HexFormat.of().formatHex(copy);
    return String.join(
        "-",
        hex.substring(0, 8),
        hex.substring(8, 12),
        hex.substring(12, 16),
        hex.substring(16, 20),
        hex.substring(20));
  }

  private static Limits limits(VkPhysicalDeviceLimits limits, long memory, long maxAllocation) {
    return new Limits(
        memory,
        maxAllocation,
        Integer.toUnsignedLong(limits.maxStorageBufferRange()),
        Integer.toUnsignedLong(limits.maxUniformBufferRange()),
        Math.max(1, limits.minStorageBufferOffsetAlignment()),
        Math.max(1, limits.minUniformBufferOffsetAlignment()),
        Math.min(
            Integer.toUnsignedLong(limits.maxPerStageDescriptorStorageBuffers()),
            Integer.toUnsignedLong(limits.maxDescriptorSetStorageBuffers())),
        (int) Math.min(Integer.toUnsignedLong(limits.maxPushConstantsSize()), Integer.MAX_VALUE),
        Integer.toUnsignedLong(limits.maxComputeWorkGroupInvocations()),
        unsigned(limits.maxComputeWorkGroupSize()),
        unsigned(limits.maxComputeWorkGroupCount()),
        Integer.toUnsignedLong(limits.maxComputeSharedMemorySize()),
        limits.timestampPeriod());
  }

  private static List<Long> unsigned(IntBuffer values) {
    return List.of(
        Integer.toUnsignedLong(values.get(0)),
        Integer.toUnsignedLong(values.get(1)),
        Integer.toUnsignedLong(values.get(2)));
  }

  private static Subgroups subgroups(VkPhysicalDeviceVulkan11Properties v11) {
    List<String> operations = new ArrayList<>();
    if ((v11.subgroupSupportedStages() & VK10.VK_SHADER_STAGE_COMPUTE_BIT) != 0) {
      for (int i = 0; i < Subgroups.ALL.size(); i++) {
        if ((v11.subgroupSupportedOperations() & (1 << i)) != 0) {
          operations.add(Subgroups.ALL.get(i));
        }
      }
    }
    return new Subgroups(v11.subgroupSize(), List.copyOf(operations));
  }

  private static Floats float32(VkPhysicalDeviceVulkan12Properties v12) {
    boolean ownRounding =
        v12.roundingModeIndependence() != VK12.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    boolean ownDenormals =
        v12.denormBehaviorIndependence() != VK12.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    return new Floats(
        v12.shaderSignedZeroInfNanPreserveFloat32(),
        v12.shaderRoundingModeRTEFloat32() && (ownRounding || v12.shaderRoundingModeRTEFloat64()),
        v12.shaderDenormPreserveFloat32() && (ownDenormals || v12.shaderDenormPreserveFloat64()));
  }

  private static Floats float64(VkPhysicalDeviceVulkan12Properties v12) {
    boolean ownRounding =
        v12.roundingModeIndependence() != VK12.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    boolean ownDenormals =
        v12.denormBehaviorIndependence() != VK12.VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    return new Floats(
        v12.shaderSignedZeroInfNanPreserveFloat64(),
        v12.shaderRoundingModeRTEFloat64() && (ownRounding || v12.shaderRoundingModeRTEFloat32()),
        v12.shaderDenormPreserveFloat64() && (ownDenormals || v12.shaderDenormPreserveFloat32()));
  }

  /** The largest heap of the device's own memory. */
  private static long memoryBytes(MemoryStack stack, VkPhysicalDevice device) {
    VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
    VK10.vkGetPhysicalDeviceMemoryProperties(device, memory);
    long largest = 0;
    for (int i = 0; i < memory.memoryHeapCount(); i++) {
      VkMemoryHeap heap = memory.memoryHeaps(i);
      if ((heap.flags() & VK10.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
        largest = Math.max(largest, heap.size());
      }
    }
    return largest;
  }

  /** A family that only computes, for it does not wait for images; else any that computes. */
  private static QueueFamily queue(MemoryStack stack, VkPhysicalDevice device) {
    IntBuffer count = stack.mallocInt(1);
    VK10.vkGetPhysicalDeviceQueueFamilyProperties(device, count, null);
    VkQueueFamilyProperties.Buffer families = VkQueueFamilyProperties.calloc(count.get(0), stack);
    VK10.vkGetPhysicalDeviceQueueFamilyProperties(device, count, families);
    int best = -1;
    boolean bestOnlyComputes = false;
    for (int i = 0; i < families.capacity(); i++) {
      int flags = families.get(i).queueFlags();
      boolean computes = (flags & VK10.VK_QUEUE_COMPUTE_BIT) != 0;
      boolean onlyComputes = computes && (flags & VK10.VK_QUEUE_GRAPHICS_BIT) == 0;
      if (computes && (best < 0 || (onlyComputes && !bestOnlyComputes))) {
        best = i;
        bestOnlyComputes = onlyComputes;
      }
    }
    return new QueueFamily(best, best < 0 ? 0 : families.get(best).timestampValidBits());
  }
}
