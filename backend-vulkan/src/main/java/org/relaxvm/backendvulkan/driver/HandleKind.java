package org.relaxvm.backendvulkan.driver;

/** What a handle of Vulkan stands for. */
public enum HandleKind {
  /** The library in use: {@code VkInstance}. */
  INSTANCE,
  /** A device in use, with its allocator: {@code VkDevice}. */
  DEVICE,
  /** Memory with its allocation: {@code VkBuffer}. */
  BUFFER,
  /** A {@code VkSemaphore}. */
  SEMAPHORE,
  /** A {@code VkCommandPool} with one command buffer. */
  COMMANDS,
  /** A {@code VkDescriptorPool} with its sets. */
  DESCRIPTOR_POOL,
  /** A {@code VkDescriptorSetLayout}. */
  SET_LAYOUT,
  /** A {@code VkPipelineLayout}. */
  PIPELINE_LAYOUT,
  /** A {@code VkPipelineCache}. */
  PIPELINE_CACHE,
  /** A {@code VkPipeline}. */
  PIPELINE,
  /** A {@code VkQueryPool}. */
  QUERY_POOL
}
