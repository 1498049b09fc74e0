package org.relaxvm.backendvulkan.stream;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.BufferRange;
import org.relaxvm.backendvulkan.driver.BufferUse;
import org.relaxvm.backendvulkan.driver.Commands;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.relaxvm.backendvulkan.program.VulkanKernel;

/**
 * Steps as the device takes them, with what they need: descriptor sets, and memory for the numbers
 * of kernels that take them from a uniform buffer. Submitted as often as somebody likes, and
 * recorded over when all that is done. Nothing of it changes meanwhile.
 *
 * <p>Used by one thread at a time.
 */
final class Recording {
  private final DeviceCalls calls;
  private final long uniformAlignment;
  private final Commands commands;
  private final DescriptorArena descriptors;
  private final long queryPool;
  private ByteBuffer pushed = ByteBuffer.allocateDirect(0);
  private @Nullable DeviceBuffer uniforms;
  private @Nullable BatchTimes times;
  private long value;

  /**
   * Makes room.
   *
   * @param uniformAlignment of the offsets of uniform blocks, a power of two
   * @param timed whether times are recorded
   */
  Recording(DeviceCalls calls, long uniformAlignment, boolean timed) {
    this.calls = calls;
    this.uniformAlignment = uniformAlignment;
    this.commands = calls.createCommands();
    this.descriptors = new DescriptorArena(calls);
    this.queryPool = timed ? queries(calls, commands) : 0;
  }

  private static long queries(DeviceCalls calls, Commands commands) {
    try {
      return calls.createQueryPool(2 * Batch.MOST_STEPS);
    } catch (VulkanStatusException e) {
      commands.destroy();
      throw e;
    }
  }

  Commands commands() {
    return commands;
  }

  /** The value of its stream's timeline that is reached when it was done for the last time. */
  long value() {
    return value;
  }

  /** It is submitted, and done when the timeline of its stream has a value. */
  void submitted(long reached) {
    value = reached;
  }

  /**
   * Records steps, each after all that came before; what was recorded before is done.
   *
   * @param batchTimes where times are recorded; null when nobody asks
   */
  void record(List<Step> steps, @Nullable BatchTimes batchTimes) {
    settleTimes();
    descriptors.reset();
    reserveUniforms(steps);
    if (batchTimes != null) {
      calls.resetQueries(queryPool, 2 * Batch.MOST_STEPS);
      batchTimes.open(queryPool, steps.size());
      times = batchTimes;
    }
    commands.begin(batchTimes == null);
    long uniformAt = 0;
    for (int i = 0; i < steps.size(); i++) {
      commands.barrier();
      stamp(2 * i);
      uniformAt = record(steps.get(i), uniformAt);
      stamp(2 * i + 1);
    }
    commands.end();
  }

  private void settleTimes() {
    BatchTimes before = times;
    if (before != null) {
      before.read();
      before.close();
      times = null;
    }
  }

  private void stamp(int index) {
    if (times != null) {
      commands.timestamp(queryPool, index);
    }
  }

  /** Records a step; gives what is in use of the uniform memory. */
  private long record(Step step, long uniformAt) {
    return switch (step) {
      case Step.Copy(var source, long from, var target, long to, long byteSize) -> {
        commands.copy(source.handle(), from, target.handle(), to, byteSize);
        yield uniformAt;
      }
      case Step.Launch launch -> launch(launch, uniformAt);
      case Step.Nothing() -> uniformAt;
    };
  }

  private long launch(Step.Launch launch, long uniformAt) {
    VulkanKernel kernel = launch.kernel();
    BufferRange uniform = kernel.shape().uniform() ? uniform(launch, uniformAt) : null;
    if (kernel.hasDescriptors()) {
      long set = descriptors.allocate(kernel.setLayout(), launch.buffers().size());
      calls.writeDescriptors(set, launch.buffers(), uniform);
      commands.bindDescriptors(kernel.layout(), set);
    }
    if (uniform == null && launch.numbers().hasRemaining()) {
      commands.pushConstants(kernel.layout(), direct(launch.numbers()));
    }
    commands.bindPipeline(kernel.pipeline());
    commands.dispatch(launch.x(), launch.y(), launch.z());
    return uniformAt + uniformBytes(launch);
  }

  private ByteBuffer direct(ByteBuffer numbers) {
    int size = numbers.remaining();
    if (pushed.capacity() < size) {
      pushed = ByteBuffer.allocateDirect(size);
    }
    return pushed.clear().put(0, numbers, 0, size).limit(size);
  }

  /** Puts the numbers of a launch where the device reads them. */
  private BufferRange uniform(Step.Launch launch, long at) {
    DeviceBuffer room = uniforms;
    if (room == null) {
      throw new IllegalStateException("no memory was reserved for the numbers of kernels");
    }
    ByteBuffer numbers = launch.numbers();
    if (numbers.hasRemaining()) {
      calls.write(MemorySegment.ofBuffer(direct(numbers)), room, at);
    }
    return new BufferRange(room, at, Math.max(1, numbers.remaining()));
  }

  /** The bytes that a step takes of the uniform memory. */
  private long uniformBytes(Step step) {
    return step instanceof Step.Launch launch && launch.kernel().shape().uniform()
        ? (Math.max(1, launch.numbers().remaining()) + uniformAlignment - 1) & -uniformAlignment
        : 0;
  }

  private void reserveUniforms(List<Step> steps) {
    long needed = 0;
    for (Step step : steps) {
      needed += uniformBytes(step);
    }
    DeviceBuffer room = uniforms;
    if (needed > (room == null ? 0 : room.byteSize())) {
      releaseUniforms();
      uniforms = calls.createBuffer(needed, BufferUse.STAGING);
    }
  }

  private void releaseUniforms() {
    DeviceBuffer room = uniforms;
    if (room != null) {
      uniforms = null;
      calls.destroyBuffer(room);
    }
  }

  /** Destroys what it holds; it is done. */
  void destroy() {
    BatchTimes batchTimes = times;
    if (batchTimes != null) {
      batchTimes.close();
    }
    if (queryPool != 0) {
      calls.destroyQueryPool(queryPool);
    }
    descriptors.destroy();
    releaseUniforms();
    commands.destroy();
  }
}
