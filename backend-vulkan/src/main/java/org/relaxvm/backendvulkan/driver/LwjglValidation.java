package org.relaxvm.backendvulkan.driver;

import java.nio.LongBuffer;
import java.util.Queue;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTDebugUtils;
import org.lwjgl.vulkan.EXTValidationFeatures;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkValidationFeaturesEXT;
import org.relaxvm.api.spi.BackendOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The validation layer of Khronos, which watches how an instance and its devices are used, uses of
 * memory in one batch without a barrier between them included. What it finds is logged and kept.
 *
 * <p>For one instance; thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-vulkan.md, "Why do validation findings fail the close of the
 * backend?"
 */
final class LwjglValidation implements AutoCloseable {
  private static final String LAYER = "VK_LAYER_KHRONOS_validation";

  private final Logger log = LoggerFactory.getLogger(LwjglValidation.class);
  private final Queue<String> faults;
  private final VkDebugUtilsMessengerCallbackEXT callback;
  private long messenger;

  /**
   * A watch that is not attached yet.
   *
   * @param faults gets what is found
   */
  LwjglValidation(Queue<String> faults) {
    this.faults = faults;
    this.callback = VkDebugUtilsMessengerCallbackEXT.create(this::told);
  }

  /** Whether somebody asks for it. */
  static boolean isWanted(BackendOptions options) {
    return "true".equals(options.property(Vulkan.VALIDATION));
  }

  private int told(int severity, int types, long data, long user) {
    String message = VkDebugUtilsMessengerCallbackDataEXT.create(data).pMessageString();
    log.error("the validation layer of Vulkan: {}", message);
    faults.add(String.valueOf(message));
    return VK10.VK_FALSE;
  }

  /** Has an instance made with the layer. */
  void watch(VkInstanceCreateInfo info, MemoryStack stack) {
    VkValidationFeaturesEXT features =
        VkValidationFeaturesEXT.calloc(stack)
            .sType$Default()
            .pNext(messenger(stack).address())
            .pEnabledValidationFeatures(
                stack.ints(
                    EXTValidationFeatures
                        .VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT));
    info.pNext(features.address())
        .ppEnabledLayerNames(stack.pointers(stack.UTF8(LAYER)))
        .ppEnabledExtensionNames(
            stack.pointers(stack.UTF8(EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME)));
  }

  private VkDebugUtilsMessengerCreateInfoEXT messenger(MemoryStack stack) {
    return VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
        .sType$Default()
        .messageSeverity(
            EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
                | EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT)
        .messageType(EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT)
        .pfnUserCallback(callback);
  }

  /** Watches from now on what is done with an instance. */
  void attach(VkInstance instance) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      LwjglVulkan.check(
          "vkCreateDebugUtilsMessengerEXT",
          EXTDebugUtils.vkCreateDebugUtilsMessengerEXT(instance, messenger(stack), null, made));
      messenger = made.get(0);
    }
  }

  /** Stops watching, but for the end of the instance. */
  void detach(VkInstance instance) {
    EXTDebugUtils.vkDestroyDebugUtilsMessengerEXT(instance, messenger, null);
  }

  /** Called when the instance is gone. */
  @Override
  public void close() {
    callback.free();
  }
}
