package org.relaxvm.backendvulkan.driver;

import java.util.Map;

/** The names of codes, known without loading any library. */
final class StatusNames {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "NOT_READY"),
          Map.entry(2, "TIMEOUT"),
          Map.entry(3, "EVENT_SET"),
          Map.entry(4, "EVENT_RESET"),
          Map.entry(5, "INCOMPLETE"),
          Map.entry(Vulkan.OUT_OF_HOST_MEMORY, "ERROR_OUT_OF_HOST_MEMORY"),
          Map.entry(Vulkan.OUT_OF_DEVICE_MEMORY, "ERROR_OUT_OF_DEVICE_MEMORY"),
          Map.entry(Vulkan.INITIALIZATION_FAILED, "ERROR_INITIALIZATION_FAILED"),
          Map.entry(Vulkan.DEVICE_LOST, "ERROR_DEVICE_LOST"),
          Map.entry(-5, "ERROR_MEMORY_MAP_FAILED"),
          Map.entry(-6, "ERROR_LAYER_NOT_PRESENT"),
          Map.entry(-7, "ERROR_EXTENSION_NOT_PRESENT"),
          Map.entry(-8, "ERROR_FEATURE_NOT_PRESENT"),
          Map.entry(Vulkan.INCOMPATIBLE_DRIVER, "ERROR_INCOMPATIBLE_DRIVER"),
          Map.entry(Vulkan.TOO_MANY_OBJECTS, "ERROR_TOO_MANY_OBJECTS"),
          Map.entry(-11, "ERROR_FORMAT_NOT_SUPPORTED"),
          Map.entry(-12, "ERROR_FRAGMENTED_POOL"),
          Map.entry(-13, "ERROR_UNKNOWN"),
          Map.entry(Vulkan.OUT_OF_POOL_MEMORY, "ERROR_OUT_OF_POOL_MEMORY"),
          Map.entry(-1000072003, "ERROR_INVALID_EXTERNAL_HANDLE"),
          Map.entry(Vulkan.FRAGMENTATION, "ERROR_FRAGMENTATION"),
          Map.entry(-1000257000, "ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS"),
          Map.entry(-1000012000, "ERROR_INVALID_SHADER_NV"));

  private StatusNames() {}

  /** A code as people know it, such as {@code VK_ERROR_DEVICE_LOST (-4)}. */
  static String of(int code) {
    String name = NAMES.get(code);
    return name == null ? "the unknown code " + code : "VK_" + name + " (" + code + ")";
  }
}
