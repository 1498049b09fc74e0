package org.relaxvm.backendvulkan.driver;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorPoolCreateInfo;
import org.lwjgl.vulkan.VkDescriptorPoolSize;
import org.lwjgl.vulkan.VkDescriptorSetAllocateInfo;
import org.lwjgl.vulkan.VkDescriptorSetLayoutBinding;
import org.lwjgl.vulkan.VkDescriptorSetLayoutCreateInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;
import org.lwjgl.vulkan.VkWriteDescriptorSet;
import org.relaxvm.backendsupport.gpu.device.LiveHandles;

/** A device in use, through LWJGL: pipelines and what they are given. */
abstract sealed class LwjglPipelines implements DeviceCalls permits LwjglDevice {
  final VkDevice device;
  final LiveHandles<HandleKind> live;

  LwjglPipelines(VkDevice device, LiveHandles<HandleKind> live) {
    this.device = device;
    this.live = live;
  }

  final long made(HandleKind kind, String call, int code, LongBuffer handle) {
    LwjglVulkan.check(call, code);
    live.made(kind);
    return handle.get(0);
  }

  @Override
  public long createDescriptorPool(int sets, int storageBuffers) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDescriptorPoolSize.Buffer sizes = VkDescriptorPoolSize.calloc(2, stack);
      sizes
          .get(0)
          .type(VK10.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
          .descriptorCount(Math.max(1, storageBuffers));
      sizes.get(1).type(VK10.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER).descriptorCount(sets);
      VkDescriptorPoolCreateInfo info =
          VkDescriptorPoolCreateInfo.calloc(stack).sType$Default().maxSets(sets).pPoolSizes(sizes);
      LongBuffer made = stack.mallocLong(1);
      return made(
          HandleKind.DESCRIPTOR_POOL,
          "vkCreateDescriptorPool",
          VK10.vkCreateDescriptorPool(device, info, null, made),
          made);
    }
  }

  @Override
  public void resetDescriptorPool(long pool) {
    LwjglVulkan.check("vkResetDescriptorPool", VK10.vkResetDescriptorPool(device, pool, 0));
  }

  @Override
  public void destroyDescriptorPool(long pool) {
    VK10.vkDestroyDescriptorPool(device, pool, null);
    live.released(HandleKind.DESCRIPTOR_POOL);
  }

  @Override
  public long allocateDescriptorSet(long pool, long setLayout) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDescriptorSetAllocateInfo info =
          VkDescriptorSetAllocateInfo.calloc(stack)
              .sType$Default()
              .descriptorPool(pool)
              .pSetLayouts(stack.longs(setLayout));
      LongBuffer made = stack.mallocLong(1);
      LwjglVulkan.check(
          "vkAllocateDescriptorSets", VK10.vkAllocateDescriptorSets(device, info, made));
      return made.get(0);
    }
  }

  @Override
  public void writeDescriptors(long set, List<BufferRange> storage, @Nullable BufferRange uniform) {
    int count = storage.size() + (uniform == null ? 0 : 1);
    if (count == 0) {
      return;
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDescriptorBufferInfo.Buffer infos = VkDescriptorBufferInfo.malloc(count, stack);
      VkWriteDescriptorSet.Buffer writes = VkWriteDescriptorSet.calloc(count, stack);
      for (int i = 0; i < count; i++) {
        BufferRange range = uniform != null && i == storage.size() ? uniform : storage.get(i);
        infos.get(i).buffer(range.buffer().handle()).offset(range.offset()).range(range.byteSize());
        writes
            .get(i)
            .sType$Default()
            .dstSet(set)
            .dstBinding(i)
            .descriptorCount(1)
            .descriptorType(type(i == storage.size()))
            .pBufferInfo(VkDescriptorBufferInfo.create(infos.address(i), 1));
      }
      VK10.vkUpdateDescriptorSets(device, writes, null);
    }
  }

  private static int type(boolean uniform) {
    return uniform
        ? VK10.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
        : VK10.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }

  @Override
  public long createSetLayout(int storageBuffers, boolean uniform) {
    int count = storageBuffers + (uniform ? 1 : 0);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDescriptorSetLayoutBinding.Buffer bindings =
          VkDescriptorSetLayoutBinding.calloc(count, stack);
      for (int i = 0; i < count; i++) {
        bindings
            .get(i)
            .binding(i)
            .descriptorType(type(i == storageBuffers))
            .descriptorCount(1)
            .stageFlags(VK10.VK_SHADER_STAGE_COMPUTE_BIT);
      }
      VkDescriptorSetLayoutCreateInfo info =
          VkDescriptorSetLayoutCreateInfo.calloc(stack).sType$Default().pBindings(bindings);
      LongBuffer made = stack.mallocLong(1);
      return made(
          HandleKind.SET_LAYOUT,
          "vkCreateDescriptorSetLayout",
          VK10.vkCreateDescriptorSetLayout(device, info, null, made),
          made);
    }
  }

  @Override
  public void destroySetLayout(long setLayout) {
    VK10.vkDestroyDescriptorSetLayout(device, setLayout, null);
    live.released(HandleKind.SET_LAYOUT);
  }

  @Override
  public long createPipelineLayout(long setLayout, int pushConstantBytes) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkPipelineLayoutCreateInfo info =
          VkPipelineLayoutCreateInfo.calloc(stack)
              .sType$Default()
              .setLayoutCount(1)
              .pSetLayouts(stack.longs(setLayout));
      if (pushConstantBytes > 0) {
        info.pPushConstantRanges(
            VkPushConstantRange.calloc(1, stack)
                .stageFlags(VK10.VK_SHADER_STAGE_COMPUTE_BIT)
                .size(pushConstantBytes));
      }
      LongBuffer made = stack.mallocLong(1);
      return made(
          HandleKind.PIPELINE_LAYOUT,
          "vkCreatePipelineLayout",
          VK10.vkCreatePipelineLayout(device, info, null, made),
          made);
    }
  }

  @Override
  public void destroyPipelineLayout(long layout) {
    VK10.vkDestroyPipelineLayout(device, layout, null);
    live.released(HandleKind.PIPELINE_LAYOUT);
  }

  @Override
  public long createPipelineCache(byte[] data) {
    ByteBuffer bytes = MemoryUtil.memAlloc(Math.max(1, data.length));
    try (MemoryStack stack = MemoryStack.stackPush()) {
      bytes.put(data).flip();
      VkPipelineCacheCreateInfo info = VkPipelineCacheCreateInfo.calloc(stack).sType$Default();
      if (data.length > 0) {
        info.pInitialData(bytes);
      }
      LongBuffer made = stack.mallocLong(1);
      return made(
          HandleKind.PIPELINE_CACHE,
          "vkCreatePipelineCache",
          VK10.vkCreatePipelineCache(device, info, null, made),
          made);
    } finally {
      MemoryUtil.memFree(bytes);
    }
  }

  @Override
  public byte[] pipelineCacheData(long cache) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      LwjglVulkan.check(
          "vkGetPipelineCacheData", VK10.vkGetPipelineCacheData(device, cache, size, null));
      ByteBuffer bytes = MemoryUtil.memAlloc(Math.max(1, Math.toIntExact(size.get(0))));
      try {
        LwjglVulkan.check(
            "vkGetPipelineCacheData", VK10.vkGetPipelineCacheData(device, cache, size, bytes));
        byte[] data = new byte[Math.toIntExact(size.get(0))];
        bytes.get(0, data);
        return data;
      } finally {
        MemoryUtil.memFree(bytes);
      }
    }
  }

  @Override
  public void destroyPipelineCache(long cache) {
    VK10.vkDestroyPipelineCache(device, cache, null);
    live.released(HandleKind.PIPELINE_CACHE);
  }

  @Override
  public long createPipeline(
      byte[] spirv, String entryPoint, int workGroupSize, long layout, long cache) {
    ByteBuffer code = MemoryUtil.memAlloc(spirv.length);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkShaderModuleCreateInfo moduleInfo =
          VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(code.put(spirv).flip());
      LongBuffer module = stack.mallocLong(1);
      LwjglVulkan.check(
          "vkCreateShaderModule", VK10.vkCreateShaderModule(device, moduleInfo, null, module));
      try {
        return createPipeline(stack, module.get(0), entryPoint, workGroupSize, layout, cache);
      } finally {
        // A pipeline keeps what it needs of it.
        VK10.vkDestroyShaderModule(device, module.get(0), null);
      }
    } finally {
      MemoryUtil.memFree(code);
    }
  }

  private long createPipeline(
      MemoryStack stack,
      long module,
      String entryPoint,
      int workGroupSize,
      long layout,
      long cache) {
    VkComputePipelineCreateInfo.Buffer info =
        VkComputePipelineCreateInfo.calloc(1, stack).sType$Default().layout(layout);
    VkPipelineShaderStageCreateInfo stage =
        info.stage()
            .sType$Default()
            .stage(VK10.VK_SHADER_STAGE_COMPUTE_BIT)
            .module(module)
            .pName(stack.UTF8(entryPoint));
    if (workGroupSize > 0) {
      VkSpecializationMapEntry.Buffer entry =
          VkSpecializationMapEntry.calloc(1, stack).size(Integer.BYTES);
      stage.pSpecializationInfo(
          VkSpecializationInfo.calloc(stack)
              .pMapEntries(entry)
              .pData(stack.malloc(Integer.BYTES).putInt(0, workGroupSize)));
    }
    LongBuffer made = stack.mallocLong(1);
    return made(
        HandleKind.PIPELINE,
        "vkCreateComputePipelines",
        VK10.vkCreateComputePipelines(device, cache, info, null, made),
        made);
  }

  @Override
  public void destroyPipeline(long pipeline) {
    VK10.vkDestroyPipeline(device, pipeline, null);
    live.released(HandleKind.PIPELINE);
  }
}
