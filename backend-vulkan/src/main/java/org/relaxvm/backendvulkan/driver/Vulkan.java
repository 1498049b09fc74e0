package org.relaxvm.backendvulkan.driver;

import java.util.List;
import java.util.Map;

/**
 * The calls of Vulkan that this backend makes of no device in use. Those of one are in {@link
 * DeviceCalls}.
 *
 * <p>A code that means failure is thrown as {@link VulkanStatusException}; destroying never throws,
 * since nobody could do anything about it. Who makes a handle destroys it, once, when no work uses
 * it any more.
 *
 * <p>Thread-safe.
 */
public interface Vulkan {
  /** {@code VK_ERROR_OUT_OF_HOST_MEMORY}. */
  int OUT_OF_HOST_MEMORY = -1;

  /** {@code VK_ERROR_OUT_OF_DEVICE_MEMORY}. */
  int OUT_OF_DEVICE_MEMORY = -2;

  /** {@code VK_ERROR_INITIALIZATION_FAILED}. */
  int INITIALIZATION_FAILED = -3;

  /** {@code VK_ERROR_DEVICE_LOST}. */
  int DEVICE_LOST = -4;

  /** {@code VK_ERROR_LAYER_NOT_PRESENT}: what is given without the validation layer. */
  int LAYER_NOT_PRESENT = -6;

  /** {@code VK_ERROR_INCOMPATIBLE_DRIVER}: what a loader without drivers gives. */
  int INCOMPATIBLE_DRIVER = -9;

  /** {@code VK_ERROR_TOO_MANY_OBJECTS}. */
  int TOO_MANY_OBJECTS = -10;

  /** {@code VK_ERROR_FRAGMENTATION}. */
  int FRAGMENTATION = -1000161000;

  /** {@code VK_ERROR_OUT_OF_POOL_MEMORY}. */
  int OUT_OF_POOL_MEMORY = -1000069000;

  /** The version of Vulkan that this backend needs, as Vulkan packs versions. */
  int NEEDED_VERSION = (1 << 22) | (2 << 12);

  /** The newest version of Vulkan that this backend uses something of. */
  int NEWEST_VERSION = (1 << 22) | (3 << 12);

  /** A packed version as people write it, such as {@code 1.3.230}. */
  static String versionText(int version) {
    return ((version >>> 22) & 0x7F) + "." + ((version >>> 12) & 0x3FF) + "." + (version & 0xFFF);
  }

  /** System property: true has the validation layer watch all instances. */
  String VALIDATION = "relaxvm.vulkan.validation";

  /** The version of the loader, packed. */
  int loaderVersion();

  /** Makes an instance of version 1.3, or that of an older loader. */
  long createInstance();

  /** All devices that an instance sees, in the loader's order. */
  List<Long> physicalDevices(long instance);

  /** What a device says of itself. */
  DeviceReport report(long instance, long physicalDevice);

  /**
   * Takes a device into use.
   *
   * @param report what it said of itself; all features of it are switched on
   */
  DeviceCalls createDevice(long instance, long physicalDevice, DeviceReport report);

  /** Releases an instance whose devices were released before. */
  void destroyInstance(long instance);

  /**
   * What the validation layer found wrong in how instances that are no more and their devices were
   * used, and was not told before; nothing unless {@link #VALIDATION} asks for it.
   */
  List<String> faults();

  /** How many handles of each kind were made and not destroyed; kinds without any are left out. */
  Map<HandleKind, Long> liveHandles();
}
