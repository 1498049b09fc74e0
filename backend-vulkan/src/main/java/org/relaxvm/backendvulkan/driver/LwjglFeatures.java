package org.relaxvm.backendvulkan.driver;

import java.util.EnumSet;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/** Features of devices, as Vulkan has them: booleans in three structures. Stateless. */
final class LwjglFeatures {
  private LwjglFeatures() {}

  /**
   * What a device has.
   *
   * @param newest whether it has the newest version that this backend knows
   */
  static Set<Feature> of(MemoryStack stack, VkPhysicalDevice device, boolean newest) {
    Chain chain = new Chain(stack, newest);
    VK11.vkGetPhysicalDeviceFeatures2(device, chain.all);
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    for (Feature feature : Feature.values()) {
      if (chain.get(feature)) {
        features.add(feature);
      }
    }
    return features;
  }

  /** Structures that switch features on. */
  static VkPhysicalDeviceFeatures2 chain(MemoryStack stack, DeviceReport report) {
    Chain chain = new Chain(stack, report.features().contains(Feature.MAINTENANCE_4));
    report.features().forEach(chain::set);
    return chain.all;
  }

  private static final class Chain {
    final VkPhysicalDeviceVulkan13Features v13;
    final VkPhysicalDeviceVulkan12Features v12;
    final VkPhysicalDeviceVulkan11Features v11;
    final VkPhysicalDeviceFeatures2 all;

    Chain(MemoryStack stack, boolean newest) {
      v13 = VkPhysicalDeviceVulkan13Features.calloc(stack).sType$Default();
      v12 = VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
      v11 = VkPhysicalDeviceVulkan11Features.calloc(stack).sType$Default().pNext(v12.address());
      all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default().pNext(v11.address());
      if (newest) {
        v12.pNext(v13.address());
      }
    }

    boolean get(Feature feature) {
      VkPhysicalDeviceFeatures v10 = all.features();
      return switch (feature) {
        case FLOAT64 -> v10.shaderFloat64();
        case INT64 -> v10.shaderInt64();
        case INT16 -> v10.shaderInt16();
        case FLOAT16 -> v12.shaderFloat16();
        case INT8 -> v12.shaderInt8();
        case STORAGE_8 -> v12.storageBuffer8BitAccess();
        case UNIFORM_8 -> v12.uniformAndStorageBuffer8BitAccess();
        case PUSH_CONSTANT_8 -> v12.storagePushConstant8();
        case STORAGE_16 -> v11.storageBuffer16BitAccess();
        case UNIFORM_16 -> v11.uniformAndStorageBuffer16BitAccess();
        case PUSH_CONSTANT_16 -> v11.storagePushConstant16();
        case BUFFER_ADDRESS -> v12.bufferDeviceAddress();
        case TIMELINE -> v12.timelineSemaphore();
        case HOST_QUERY_RESET -> v12.hostQueryReset();
        case SCALAR_LAYOUT -> v12.scalarBlockLayout();
        case UNIFORM_STANDARD_LAYOUT -> v12.uniformBufferStandardLayout();
        case MEMORY_MODEL -> v12.vulkanMemoryModel();
        case MEMORY_MODEL_DEVICE -> v12.vulkanMemoryModelDeviceScope();
        case SUBGROUP_TYPES -> v12.shaderSubgroupExtendedTypes();
        case BUFFER_INT64_ATOMICS -> v12.shaderBufferInt64Atomics();
        case SHARED_INT64_ATOMICS -> v12.shaderSharedInt64Atomics();
        case VARIABLE_POINTERS_BUFFER -> v11.variablePointersStorageBuffer();
        case VARIABLE_POINTERS -> v11.variablePointers();
        case MAINTENANCE_4 -> v13.maintenance4();
      };
    }

    void set(Feature feature) {
      VkPhysicalDeviceFeatures v10 = all.features();
      switch (feature) {
        case FLOAT64 -> v10.shaderFloat64(true);
        case INT64 -> v10.shaderInt64(true);
        case INT16 -> v10.shaderInt16(true);
        case FLOAT16 -> v12.shaderFloat16(true);
        case INT8 -> v12.shaderInt8(true);
        case STORAGE_8 -> v12.storageBuffer8BitAccess(true);
        case UNIFORM_8 -> v12.uniformAndStorageBuffer8BitAccess(true);
        case PUSH_CONSTANT_8 -> v12.storagePushConstant8(true);
        case STORAGE_16 -> v11.storageBuffer16BitAccess(true);
        case UNIFORM_16 -> v11.uniformAndStorageBuffer16BitAccess(true);
        case PUSH_CONSTANT_16 -> v11.storagePushConstant16(true);
        case BUFFER_ADDRESS -> v12.bufferDeviceAddress(true);
        case TIMELINE -> v12.timelineSemaphore(true);
        case HOST_QUERY_RESET -> v12.hostQueryReset(true);
        case SCALAR_LAYOUT -> v12.scalarBlockLayout(true);
        case UNIFORM_STANDARD_LAYOUT -> v12.uniformBufferStandardLayout(true);
        case MEMORY_MODEL -> v12.vulkanMemoryModel(true);
        case MEMORY_MODEL_DEVICE -> v12.vulkanMemoryModelDeviceScope(true);
        case SUBGROUP_TYPES -> v12.shaderSubgroupExtendedTypes(true);
        case BUFFER_INT64_ATOMICS -> v12.shaderBufferInt64Atomics(true);
        case SHARED_INT64_ATOMICS -> v12.shaderSharedInt64Atomics(true);
        case VARIABLE_POINTERS_BUFFER -> v11.variablePointersStorageBuffer(true);
        case VARIABLE_POINTERS -> v11.variablePointers(true);
        case MAINTENANCE_4 -> v13.maintenance4(true);
      }
    }
  }
}
