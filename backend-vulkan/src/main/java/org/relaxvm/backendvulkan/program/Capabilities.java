package org.relaxvm.backendvulkan.program;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.context.DeviceFacts;
import org.relaxvm.backendvulkan.driver.Feature;

/**
 * What shaders declare to need, and which feature of a device that is.
 *
 * <p>Source: SPIR-V specification 1.6, section 3.31; Vulkan specification 1.3, appendix A. Those
 * that promise something of floats are not looked at: whether a device keeps it depends on the
 * width of the floats, which a capability does not say. Stateless.
 */
final class Capabilities {
  private static final int MATRIX = 0;
  private static final int SHADER = 1;
  private static final int GROUP_NON_UNIFORM = 61;
  private static final int GROUP_NON_UNIFORM_QUAD = 68;
  private static final int DENORM_PRESERVE = 4464;
  private static final int ROUNDING_MODE_RTZ = 4468;

  private static final Map<Integer, Needed> NEEDED =
      Map.ofEntries(
          Map.entry(9, new Needed("Float16", Feature.FLOAT16)),
          Map.entry(10, new Needed("Float64", Feature.FLOAT64)),
          Map.entry(11, new Needed("Int64", Feature.INT64)),
          Map.entry(12, new Needed("Int64Atomics", Feature.BUFFER_INT64_ATOMICS)),
          Map.entry(22, new Needed("Int16", Feature.INT16)),
          Map.entry(39, new Needed("Int8", Feature.INT8)),
          Map.entry(4433, new Needed("StorageBuffer16BitAccess", Feature.STORAGE_16)),
          Map.entry(4434, new Needed("UniformAndStorageBuffer16BitAccess", Feature.UNIFORM_16)),
          Map.entry(4435, new Needed("StoragePushConstant16", Feature.PUSH_CONSTANT_16)),
          Map.entry(
              4441, new Needed("VariablePointersStorageBuffer", Feature.VARIABLE_POINTERS_BUFFER)),
          Map.entry(4442, new Needed("VariablePointers", Feature.VARIABLE_POINTERS)),
          Map.entry(4448, new Needed("StorageBuffer8BitAccess", Feature.STORAGE_8)),
          Map.entry(4449, new Needed("UniformAndStorageBuffer8BitAccess", Feature.UNIFORM_8)),
          Map.entry(4450, new Needed("StoragePushConstant8", Feature.PUSH_CONSTANT_8)),
          Map.entry(5345, new Needed("VulkanMemoryModel", Feature.MEMORY_MODEL)),
          Map.entry(5346, new Needed("VulkanMemoryModelDeviceScope", Feature.MEMORY_MODEL_DEVICE)),
          Map.entry(5347, new Needed("PhysicalStorageBufferAddresses", Feature.BUFFER_ADDRESS)));

  private record Needed(String name, Feature feature) {}

  private Capabilities() {}

  /** Whether a device has a capability. */
  static boolean has(DeviceFacts facts, int capability) {
    if (capability == MATRIX || capability == SHADER) {
      return true;
    }
    if (capability >= DENORM_PRESERVE && capability <= ROUNDING_MODE_RTZ) {
      return true;
    }
    if (isSubgroup(capability)) {
      return facts.report().subgroups().has(capability - GROUP_NON_UNIFORM);
    }
    Needed needed = NEEDED.get(capability);
    return needed != null && facts.has(needed.feature());
  }

  private static boolean isSubgroup(int capability) {
    return capability >= GROUP_NON_UNIFORM && capability <= GROUP_NON_UNIFORM_QUAD;
  }

  /** A capability with the feature that it is, such as {@code Int64 (shaderInt64)}. */
  static String name(int capability) {
    @Nullable Needed needed = NEEDED.get(capability);
    if (needed != null) {
      return needed.name() + " (" + needed.feature().vulkanName() + ")";
    }
    return isSubgroup(capability)
        ? "subgroup operations (capability " + capability + ")"
        : "capability " + capability;
  }
}
