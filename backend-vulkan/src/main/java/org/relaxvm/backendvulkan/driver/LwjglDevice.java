package org.relaxvm.backendvulkan.driver;

import java.lang.foreign.MemorySegment;
import java.nio.LongBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.vma.Vma;
import org.lwjgl.util.vma.VmaAllocationCreateInfo;
import org.lwjgl.util.vma.VmaAllocationInfo;
import org.lwjgl.util.vma.VmaAllocatorCreateInfo;
import org.lwjgl.util.vma.VmaVulkanFunctions;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VK12;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;
import org.relaxvm.backendsupport.gpu.device.LiveHandles;

/** A device in use, through LWJGL: memory, the queue and times. */
final class LwjglDevice extends LwjglPipelines {
  private static final int DEVICE_USAGE =
      VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
          | VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  private static final int STAGING_USAGE =
      VK10.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
          | VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  private static final int MAPPED =
      Vma.VMA_ALLOCATION_CREATE_MAPPED_BIT | Vma.VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT;

  private final DeviceReport report;
  private final long allocator;
  private final VkQueue queue;

  /** A queue is used by one thread at a time. */
  private final ReentrantLock queueLock = new ReentrantLock();

  private final AtomicLong buffers = new AtomicLong();

  LwjglDevice(VkDevice device, DeviceReport report, LiveHandles<HandleKind> live) {
    super(device, live);
    this.report = report;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer found = stack.mallocPointer(1);
      VK10.vkGetDeviceQueue(device, report.queue().index(), 0, found);
      queue = new VkQueue(found.get(0), device);
      allocator = createAllocator(stack);
    }
  }

  private boolean hasAddresses() {
    return report.features().contains(Feature.BUFFER_ADDRESS);
  }

  private long createAllocator(MemoryStack stack) {
    VmaVulkanFunctions functions =
        VmaVulkanFunctions.calloc(stack).set(device.getPhysicalDevice().getInstance(), device);
    VmaAllocatorCreateInfo info =
        VmaAllocatorCreateInfo.calloc(stack)
            .flags(hasAddresses() ? Vma.VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT : 0)
            .physicalDevice(device.getPhysicalDevice())
            .device(device)
            .instance(device.getPhysicalDevice().getInstance())
            .pVulkanFunctions(functions)
            .vulkanApiVersion(VK12.VK_API_VERSION_1_2);
    PointerBuffer made = stack.mallocPointer(1);
    LwjglVulkan.check("vmaCreateAllocator", Vma.vmaCreateAllocator(info, made));
    return made.get(0);
  }

  @Override
  public DeviceBuffer createBuffer(long byteSize, BufferUse use) {
    boolean addressed = use != BufferUse.STAGING && hasAddresses();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      int usage =
          use == BufferUse.STAGING
              ? STAGING_USAGE
              : DEVICE_USAGE | (addressed ? VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0);
      VkBufferCreateInfo info =
          VkBufferCreateInfo.calloc(stack)
              .sType$Default()
              .size(byteSize)
              .usage(usage)
              .sharingMode(VK10.VK_SHARING_MODE_EXCLUSIVE);
      LongBuffer made = stack.mallocLong(1);
      PointerBuffer allocation = stack.mallocPointer(1);
      VmaAllocationInfo allocated = VmaAllocationInfo.calloc(stack);
      LwjglVulkan.check(
          "vmaCreateBuffer",
          Vma.vmaCreateBuffer(
              allocator, info, allocationInfo(stack, use), made, allocation, allocated));
      live.made(HandleKind.BUFFER);
      return new DeviceBuffer(
          buffers.incrementAndGet(),
          made.get(0),
          allocation.get(0),
          byteSize,
          addressed ? address(stack, made.get(0)) : 0,
          allocated.pMappedData());
    }
  }

  private static VmaAllocationCreateInfo allocationInfo(MemoryStack stack, BufferUse use) {
    VmaAllocationCreateInfo info = VmaAllocationCreateInfo.calloc(stack);
    return switch (use) {
      case DEVICE -> info.usage(Vma.VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE);
      case SHARED ->
          info.usage(Vma.VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE)
              .flags(MAPPED | Vma.VMA_ALLOCATION_CREATE_HOST_ACCESS_ALLOW_TRANSFER_INSTEAD_BIT);
      case STAGING -> info.usage(Vma.VMA_MEMORY_USAGE_AUTO_PREFER_HOST).flags(MAPPED);
    };
  }

  private long address(MemoryStack stack, long buffer) {
    return VK12.vkGetBufferDeviceAddress(
        device, VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(buffer));
  }

  @Override
  public void destroyBuffer(DeviceBuffer buffer) {
    Vma.vmaDestroyBuffer(allocator, buffer.handle(), buffer.allocation());
    live.released(HandleKind.BUFFER);
  }

  @Override
  public void write(MemorySegment source, DeviceBuffer target, long offset) {
    // Neither does anything where the memory is coherent. Elsewhere whole lines are flushed: what
    // the device wrote into them must not be older there.
    Vma.vmaInvalidateAllocation(allocator, target.allocation(), offset, source.byteSize());
    MemoryUtil.memCopy(source.address(), target.hostAddress() + offset, source.byteSize());
    Vma.vmaFlushAllocation(allocator, target.allocation(), offset, source.byteSize());
  }

  @Override
  public void read(DeviceBuffer source, long offset, MemorySegment target) {
    Vma.vmaInvalidateAllocation(allocator, source.allocation(), offset, target.byteSize());
    MemoryUtil.memCopy(source.hostAddress() + offset, target.address(), target.byteSize());
  }

  @Override
  public long createTimeline() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkSemaphoreTypeCreateInfo type =
          VkSemaphoreTypeCreateInfo.calloc(stack)
              .sType$Default()
              .semaphoreType(VK12.VK_SEMAPHORE_TYPE_TIMELINE);
      VkSemaphoreCreateInfo info =
          VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(type.address());
      LongBuffer made = stack.mallocLong(1);
      return made(
          HandleKind.SEMAPHORE,
          "vkCreateSemaphore",
          VK10.vkCreateSemaphore(device, info, null, made),
          made);
    }
  }

  @Override
  public long timelineValue(long semaphore) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer value = stack.mallocLong(1);
      LwjglVulkan.check(
          "vkGetSemaphoreCounterValue", VK12.vkGetSemaphoreCounterValue(device, semaphore, value));
      return value.get(0);
    }
  }

  @Override
  public void awaitTimeline(TimelinePoint point) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkSemaphoreWaitInfo info =
          VkSemaphoreWaitInfo.calloc(stack)
              .sType$Default()
              .semaphoreCount(1)
              .pSemaphores(stack.longs(point.semaphore()))
              .pValues(stack.longs(point.value()));
      LwjglVulkan.check("vkWaitSemaphores", VK12.vkWaitSemaphores(device, info, -1L));
    }
  }

  @Override
  public void destroyTimeline(long semaphore) {
    VK10.vkDestroySemaphore(device, semaphore, null);
    live.released(HandleKind.SEMAPHORE);
  }

  @Override
  public Commands createCommands() {
    return new LwjglCommands(device, report.queue().index(), live);
  }

  @Override
  public void submit(Commands commands, List<TimelinePoint> waits, TimelinePoint signal) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer semaphores = stack.mallocLong(waits.size());
      LongBuffer values = stack.mallocLong(waits.size());
      var stages = stack.mallocInt(waits.size());
      for (int i = 0; i < waits.size(); i++) {
        semaphores.put(i, waits.get(i).semaphore());
        values.put(i, waits.get(i).value());
        stages.put(i, VK10.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
      }
      VkTimelineSemaphoreSubmitInfo timelines =
          VkTimelineSemaphoreSubmitInfo.calloc(stack)
              .sType$Default()
              .waitSemaphoreValueCount(waits.size())
              .pWaitSemaphoreValues(values)
              .signalSemaphoreValueCount(1)
              .pSignalSemaphoreValues(stack.longs(signal.value()));
      VkSubmitInfo info =
          VkSubmitInfo.calloc(stack)
              .sType$Default()
              .pNext(timelines.address())
              .waitSemaphoreCount(waits.size())
              .pWaitSemaphores(semaphores)
              .pWaitDstStageMask(stages)
              .pCommandBuffers(stack.pointers(((LwjglCommands) commands).buffer()))
              .pSignalSemaphores(stack.longs(signal.semaphore()));
      queueLock.lock();
      try {
        LwjglVulkan.check("vkQueueSubmit", VK10.vkQueueSubmit(queue, info, VK10.VK_NULL_HANDLE));
      } finally {
        queueLock.unlock();
      }
    }
  }

  @Override
  public long createQueryPool(int count) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkQueryPoolCreateInfo info =
          VkQueryPoolCreateInfo.calloc(stack)
              .sType$Default()
              .queryType(VK10.VK_QUERY_TYPE_TIMESTAMP)
              .queryCount(count);
      LongBuffer made = stack.mallocLong(1);
      long pool =
          made(
              HandleKind.QUERY_POOL,
              "vkCreateQueryPool",
              VK10.vkCreateQueryPool(device, info, null, made),
              made);
      resetQueries(pool, count);
      return pool;
    }
  }

  @Override
  public void resetQueries(long pool, int count) {
    VK12.vkResetQueryPool(device, pool, 0, count);
  }

  @Override
  public long[] queryResults(long pool, int count) {
    long[] ticks = new long[count];
    if (count > 0) {
      LwjglVulkan.check(
          "vkGetQueryPoolResults",
          VK10.vkGetQueryPoolResults(
              device, pool, 0, count, ticks, Long.BYTES, VK10.VK_QUERY_RESULT_64_BIT));
    }
    int bits = report.queue().timestampBits();
    long mask = bits == Long.SIZE ? -1L : (1L << bits) - 1;
    for (int i = 0; i < count; i++) {
      ticks[i] &= mask;
    }
    return ticks;
  }

  @Override
  public void destroyQueryPool(long pool) {
    VK10.vkDestroyQueryPool(device, pool, null);
    live.released(HandleKind.QUERY_POOL);
  }

  @Override
  public void awaitIdle() {
    queueLock.lock();
    try {
      LwjglVulkan.check("vkDeviceWaitIdle", VK10.vkDeviceWaitIdle(device));
    } finally {
      queueLock.unlock();
    }
  }

  @Override
  public void destroy() {
    Vma.vmaDestroyAllocator(allocator);
    VK10.vkDestroyDevice(device, null);
    live.released(HandleKind.DEVICE);
  }
}
