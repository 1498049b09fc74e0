package org.relaxvm.backendvulkan.driver;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls that this backend makes of a device in use.
 *
 * <p>A code that means failure is thrown as {@link VulkanStatusException}; destroying never throws.
 * Who makes a handle destroys it, once, when no work uses it any more.
 *
 * <p>Thread-safe, but that one {@link Commands}, descriptor pool or query pool is used by one
 * thread at a time.
 */
public interface DeviceCalls {
  /** Makes memory of one byte at least. */
  DeviceBuffer createBuffer(long byteSize, BufferUse use);

  /** Destroys memory. */
  void destroyBuffer(DeviceBuffer buffer);

  /**
   * Copies into memory that the host reaches; work that is submitted afterwards sees the bytes.
   *
   * @param source native memory
   */
  void write(MemorySegment source, DeviceBuffer target, long offset);

  /**
   * Copies from memory that the host reaches.
   *
   * @param target native memory
   */
  void read(DeviceBuffer source, long offset, MemorySegment target);

  /** Makes a semaphore that counts, from 0. */
  long createTimeline();

  /** The value that a semaphore has reached. */
  long timelineValue(long semaphore);

  /** Waits for a value of a semaphore. */
  void awaitTimeline(TimelinePoint point);

  /** Destroys a semaphore. */
  void destroyTimeline(long semaphore);

  /** Makes room for commands. */
  Commands createCommands();

  /**
   * Gives commands to the queue of the device.
   *
   * @param waits what must be reached before they start
   * @param signal what is reached when they are done
   */
  void submit(Commands commands, List<TimelinePoint> waits, TimelinePoint signal);

  /** Makes room for descriptor sets. */
  long createDescriptorPool(int sets, int storageBuffers);

  /** Frees all sets of a pool. */
  void resetDescriptorPool(long pool);

  /** Destroys a pool with its sets. */
  void destroyDescriptorPool(long pool);

  /** Takes a set from a pool. */
  long allocateDescriptorSet(long pool, long setLayout);

  /**
   * Fills a set.
   *
   * @param storage the storage buffers, from binding 0 on
   * @param uniform the uniform block, after them; null for none
   */
  void writeDescriptors(long set, List<BufferRange> storage, @Nullable BufferRange uniform);

  /**
   * Makes the layout of a descriptor set for compute shaders.
   *
   * @param storageBuffers their bindings, from 0 on
   * @param uniform whether a uniform block follows them
   */
  long createSetLayout(int storageBuffers, boolean uniform);

  /** Destroys the layout of a set. */
  void destroySetLayout(long setLayout);

  /** Makes the layout of a pipeline with one descriptor set. */
  long createPipelineLayout(long setLayout, int pushConstantBytes);

  /** Destroys the layout of a pipeline. */
  void destroyPipelineLayout(long layout);

  /**
   * Makes a cache of pipelines.
   *
   * @param data what {@link #pipelineCacheData} gave; empty for none
   */
  long createPipelineCache(byte[] data);

  /** What a cache holds. */
  byte[] pipelineCacheData(long cache);

  /** Destroys a cache. */
  void destroyPipelineCache(long cache);

  /**
   * Makes a pipeline of a compute shader.
   *
   * @param spirv the shader, little-endian
   * @param workGroupSize for specialisation constant 0; 0 for none
   */
  long createPipeline(byte[] spirv, String entryPoint, int workGroupSize, long layout, long cache);

  /** Destroys a pipeline. */
  void destroyPipeline(long pipeline);

  /** Makes room for timestamps, all reset. */
  long createQueryPool(int count);

  /** Resets timestamps. */
  void resetQueries(long pool, int count);

  /** Timestamps that were written; the work that writes them is done. */
  long[] queryResults(long pool, int count);

  /** Destroys a query pool. */
  void destroyQueryPool(long pool);

  /** Waits until the device has nothing to do. */
  void awaitIdle();

  /** Gives the device back; nothing of it is used any more. */
  void destroy();
}
