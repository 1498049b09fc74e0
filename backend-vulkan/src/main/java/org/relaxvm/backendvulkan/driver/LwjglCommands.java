package org.relaxvm.backendvulkan.driver;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.relaxvm.backendsupport.gpu.device.LiveHandles;

/** A command buffer with its pool, through LWJGL. */
final class LwjglCommands implements Commands {
  private static final int WORK =
      VK10.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK10.VK_PIPELINE_STAGE_TRANSFER_BIT;
  private static final int WRITES =
      VK10.VK_ACCESS_SHADER_WRITE_BIT | VK10.VK_ACCESS_TRANSFER_WRITE_BIT;
  private static final int ALL_ACCESS =
      WRITES
          | VK10.VK_ACCESS_SHADER_READ_BIT
          | VK10.VK_ACCESS_TRANSFER_READ_BIT
          | VK10.VK_ACCESS_UNIFORM_READ_BIT;

  private final VkDevice device;
  private final LiveHandles<HandleKind> live;
  private final long pool;
  private final VkCommandBuffer buffer;

  /** Kept between the calls, which are many: what a barrier says does not change. */
  private final VkMemoryBarrier.Buffer between;

  private final VkMemoryBarrier.Buffer toHost;

  LwjglCommands(VkDevice device, int queueFamily, LiveHandles<HandleKind> live) {
    this.device = device;
    this.live = live;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkCommandPoolCreateInfo info =
          VkCommandPoolCreateInfo.calloc(stack).sType$Default().queueFamilyIndex(queueFamily);
      LongBuffer made = stack.mallocLong(1);
      LwjglVulkan.check("vkCreateCommandPool", VK10.vkCreateCommandPool(device, info, null, made));
      pool = made.get(0);
      buffer = allocate(stack);
    }
    live.made(HandleKind.COMMANDS);
    between = barrier(WRITES, ALL_ACCESS);
    toHost = barrier(WRITES, VK10.VK_ACCESS_HOST_READ_BIT);
  }

  private VkCommandBuffer allocate(MemoryStack stack) {
    VkCommandBufferAllocateInfo info =
        VkCommandBufferAllocateInfo.calloc(stack)
            .sType$Default()
            .commandPool(pool)
            .level(VK10.VK_COMMAND_BUFFER_LEVEL_PRIMARY)
            .commandBufferCount(1);
    PointerBuffer made = stack.mallocPointer(1);
    int code = VK10.vkAllocateCommandBuffers(device, info, made);
    if (code != VK10.VK_SUCCESS) {
      VK10.vkDestroyCommandPool(device, pool, null);
    }
    LwjglVulkan.check("vkAllocateCommandBuffers", code);
    return new VkCommandBuffer(made.get(0), device);
  }

  private static VkMemoryBarrier.Buffer barrier(int from, int to) {
    return VkMemoryBarrier.create(1).sType$Default().srcAccessMask(from).dstAccessMask(to);
  }

  VkCommandBuffer buffer() {
    return buffer;
  }

  @Override
  public void begin(boolean again) {
    LwjglVulkan.check("vkResetCommandPool", VK10.vkResetCommandPool(device, pool, 0));
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkCommandBufferBeginInfo info =
          VkCommandBufferBeginInfo.calloc(stack)
              .sType$Default()
              .flags(
                  again
                      ? VK10.VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT
                      : VK10.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      LwjglVulkan.check("vkBeginCommandBuffer", VK10.vkBeginCommandBuffer(buffer, info));
    }
  }

  @Override
  public void barrier() {
    VK10.vkCmdPipelineBarrier(buffer, WORK, WORK, 0, between, null, null);
  }

  @Override
  public void copy(long source, long sourceOffset, long target, long targetOffset, long byteSize) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferCopy.Buffer region =
          VkBufferCopy.malloc(1, stack)
              .srcOffset(sourceOffset)
              .dstOffset(targetOffset)
              .size(byteSize);
      VK10.vkCmdCopyBuffer(buffer, source, target, region);
    }
  }

  @Override
  public void bindPipeline(long pipeline) {
    VK10.vkCmdBindPipeline(buffer, VK10.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  }

  @Override
  public void bindDescriptors(long layout, long set) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VK10.vkCmdBindDescriptorSets(
          buffer, VK10.VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, stack.longs(set), null);
    }
  }

  @Override
  public void pushConstants(long layout, ByteBuffer bytes) {
    VK10.vkCmdPushConstants(buffer, layout, VK10.VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes);
  }

  @Override
  public void dispatch(int x, int y, int z) {
    VK10.vkCmdDispatch(buffer, x, y, z);
  }

  @Override
  public void timestamp(long queryPool, int index) {
    VK10.vkCmdWriteTimestamp(buffer, VK10.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queryPool, index);
  }

  @Override
  public void end() {
    VK10.vkCmdPipelineBarrier(buffer, WORK, VK10.VK_PIPELINE_STAGE_HOST_BIT, 0, toHost, null, null);
    LwjglVulkan.check("vkEndCommandBuffer", VK10.vkEndCommandBuffer(buffer));
  }

  @Override
  public void destroy() {
    VK10.vkDestroyCommandPool(device, pool, null);
    live.released(HandleKind.COMMANDS);
  }
}
