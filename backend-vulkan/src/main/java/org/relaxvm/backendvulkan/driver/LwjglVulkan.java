package org.relaxvm.backendvulkan.driver;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendsupport.gpu.device.LiveHandles;

/** Vulkan through LWJGL. */
public final class LwjglVulkan implements Vulkan {
  // For the whole process, as drivers are.
  private static final AtomicBoolean DRIVERS_STAY = new AtomicBoolean();

  private final LiveHandles<HandleKind> live = new LiveHandles<>(HandleKind.class);
  private final Map<Long, VkInstance> instances = new ConcurrentHashMap<>();
  private final Map<Long, LwjglValidation> watches = new ConcurrentHashMap<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();

  private final BackendOptions options;

  private LwjglVulkan(BackendOptions options) {
    this.options = options;
  }

  /**
   * Loads the library.
   *
   * @throws org.relaxvm.api.error.BackendException when there is none, with what to do
   */
  public static LwjglVulkan load() {
    return load(BackendOptions.none());
  }

  /** As {@link #load()}, with options of the backend. */
  public static LwjglVulkan load(BackendOptions options) {
    LwjglLibrary.loadVulkan();
    return new LwjglVulkan(options);
  }

  @Override
  public int loaderVersion() {
    return VK.getInstanceVersionSupported();
  }

  @Override
  public long createInstance() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkApplicationInfo application =
          VkApplicationInfo.calloc(stack)
              .sType$Default()
              .pEngineName(stack.UTF8("RelaxVM"))
              .apiVersion(Math.min(loaderVersion(), NEWEST_VERSION));
      VkInstanceCreateInfo info =
          VkInstanceCreateInfo.calloc(stack).sType$Default().pApplicationInfo(application);
      VkInstance instance = LwjglValidation.isWanted(options) ? watched(info) : made(info);
      keepDriversLoaded(application, stack);
      instances.put(instance.address(), instance);
      live.made(HandleKind.INSTANCE);
      return instance.address();
    }
  }

  /**
   * Creates an instance that is never destroyed. The loader would unload all drivers with the last
   * instance, and not all drivers can be loaded again: that of NVIDIA, 580.159, is no longer found
   * after a dozen times, or crashes.
   */
  private static void keepDriversLoaded(VkApplicationInfo application, MemoryStack stack) {
    if (DRIVERS_STAY.compareAndSet(false, true)) {
      VkInstanceCreateInfo info =
          VkInstanceCreateInfo.calloc(stack).sType$Default().pApplicationInfo(application);
      // Without it all works as far as the drivers allow.
      VK10.vkCreateInstance(info, null, stack.mallocPointer(1));
    }
  }

  private static VkInstance made(VkInstanceCreateInfo info) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer made = stack.mallocPointer(1);
      check("vkCreateInstance", VK10.vkCreateInstance(info, null, made));
      return new VkInstance(made.get(0), info);
    }
  }

  private VkInstance watched(VkInstanceCreateInfo info) {
    LwjglValidation watch = new LwjglValidation(faults);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      watch.watch(info, stack);
      VkInstance instance = made(info);
      try {
        watch.attach(instance);
      } catch (VulkanStatusException e) {
        VK10.vkDestroyInstance(instance, null);
        throw e;
      }
      watches.put(instance.address(), watch);
      return instance;
    } catch (VulkanStatusException e) {
      watch.close();
      throw e;
    }
  }

  private VkInstance instance(long handle) {
    VkInstance instance = instances.get(handle);
    if (instance == null) {
      throw new VulkanStatusException(
          "use of an instance that was destroyed", INITIALIZATION_FAILED);
    }
    return instance;
  }

  @Override
  public List<Long> physicalDevices(long instance) {
    VkInstance live = instance(instance);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.mallocInt(1);
      check("vkEnumeratePhysicalDevices", VK10.vkEnumeratePhysicalDevices(live, count, null));
      if (count.get(0) == 0) {
        return List.of();
      }
      PointerBuffer found = stack.mallocPointer(count.get(0));
      check("vkEnumeratePhysicalDevices", VK10.vkEnumeratePhysicalDevices(live, count, found));
      List<Long> devices = new ArrayList<>();
      for (int i = 0; i < count.get(0); i++) {
        devices.add(found.get(i));
      }
      return List.copyOf(devices);
    }
  }

  @Override
  public DeviceReport report(long instance, long physicalDevice) {
    return LwjglReports.of(new VkPhysicalDevice(physicalDevice, instance(instance)));
  }

  @Override
  public DeviceCalls createDevice(long instance, long physicalDevice, DeviceReport report) {
    VkPhysicalDevice physical = new VkPhysicalDevice(physicalDevice, instance(instance));
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDeviceQueueCreateInfo.Buffer queues =
          VkDeviceQueueCreateInfo.calloc(1, stack)
              .sType$Default()
              .queueFamilyIndex(report.queue().index())
              .pQueuePriorities(stack.floats(1));
      VkDeviceCreateInfo info =
          VkDeviceCreateInfo.calloc(stack)
              .sType$Default()
              // By its address: the typed setter would make it the last of its chain.
              .pNext(LwjglFeatures.chain(stack, report).address())
              .pQueueCreateInfos(queues);
      PointerBuffer made = stack.mallocPointer(1);
      check("vkCreateDevice", VK10.vkCreateDevice(physical, info, null, made));
      VkDevice device = new VkDevice(made.get(0), physical, info);
      try {
        LwjglDevice calls = new LwjglDevice(device, report, live);
        live.made(HandleKind.DEVICE);
        return calls;
      } catch (VulkanStatusException e) {
        VK10.vkDestroyDevice(device, null);
        throw e;
      }
    }
  }

  @Override
  public void destroyInstance(long instance) {
    VkInstance known = instances.remove(instance);
    LwjglValidation watch = watches.remove(instance);
    if (watch != null && known != null) {
      watch.detach(known);
    }
    if (known != null) {
      VK10.vkDestroyInstance(known, null);
      live.released(HandleKind.INSTANCE);
    }
    if (watch != null) {
      watch.close();
    }
  }

  @Override
  public List<String> faults() {
    List<String> found = new ArrayList<>();
    for (String fault = faults.poll(); fault != null; fault = faults.poll()) {
      found.add(fault);
    }
    return found;
  }

  @Override
  public Map<HandleKind, Long> liveHandles() {
    return live.counts();
  }

  static void check(String call, int code) {
    if (code != VK10.VK_SUCCESS) {
      throw new VulkanStatusException(call, code);
    }
  }
}
