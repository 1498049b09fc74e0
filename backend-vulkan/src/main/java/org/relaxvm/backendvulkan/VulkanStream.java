package org.relaxvm.backendvulkan;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.backendsupport.gpu.device.Command;
import org.relaxvm.backendsupport.gpu.device.Command.Kind;
import org.relaxvm.backendsupport.gpu.device.GpuStream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendsupport.staging.HostCopies;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Timeline;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.relaxvm.backendvulkan.program.VulkanKernel;
import org.relaxvm.backendvulkan.program.WorkGroupLimits;
import org.relaxvm.backendvulkan.stream.Recorder;
import org.relaxvm.backendvulkan.stream.StagingRing;
import org.relaxvm.backendvulkan.stream.Step;
import org.relaxvm.backendvulkan.stream.StreamTimes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work in order on the device's queue, which all streams share. It is collected and submitted by a
 * {@link Recorder}.
 *
 * <p><b>Copies.</b> Memory that the host reaches is read and written in place, when the device has
 * done what it was given. Other copies go through memory of the host; those to the host wait until
 * they are done, and those from the host for nothing but room. Small ones from the host go that way
 * whenever the stream was given something since the host last waited for it, whether that is done
 * or not: what is recorded must not depend on time.
 *
 * <p>Used by one thread at a time, but for {@link #record()} and what events need.
 */
final class VulkanStream implements GpuStream<VulkanMemory> {
  private static final int COPY_ALIGNMENT = 16;

  private final Logger log = LoggerFactory.getLogger(VulkanStream.class);
  private final VulkanDevice device;
  private final DeviceContext context;
  private final DeviceCalls calls;
  private final Timeline timeline;
  private final HostCopies copies;
  private final @Nullable StreamTimes times;

  /** Guards what follows: events of this stream submit its work from any thread. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Recorder recorder;
  private final StagingRing staging;
  private final LaunchArguments launched;
  private boolean closed;

  /**
   * Opens a stream.
   *
   * @param times is told what the stream does and when; null when nobody asks
   */
  VulkanStream(VulkanDevice device, DeviceContext context, @Nullable StreamTimes times) {
    this.device = device;
    this.context = context;
    this.calls = context.calls();
    this.copies = HostCopies.of(context.id());
    this.times = times;
    this.timeline = context.timeline(this::flush);
    this.recorder = new Recorder(context, calls, timeline, times);
    this.staging = new StagingRing(context, calls, timeline);
    this.launched = new LaunchArguments(device, context);
  }

  @Override
  public Device device() {
    return device;
  }

  private void requireOpen() {
    context.requireUsable();
    if (closed) {
      throw GpuStream.closed(context.id());
    }
  }

  /** Does something with the stream, alone. */
  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Does something with the stream, alone, while the device stays open. */
  private void used(Runnable work) {
    context.run(() -> locked(work));
  }

  @Override
  public void write(MemorySegment source, VulkanMemory target, long offset) {
    context.run(() -> copies.in(source, incoming(target, offset)));
  }

  private HostCopies.Incoming incoming(VulkanMemory target, long offset) {
    return new HostCopies.Incoming() {
      @Override
      public boolean isIdle() {
        return isDone();
      }

      @Override
      public void copy(long at, MemorySegment chunk) {
        if (target.buffer().isMapped()) {
          inPlace(Kind.COPY_IN, chunk, () -> calls.write(chunk, target.buffer(), offset + at));
        } else {
          copyLater(at, chunk);
        }
      }

      @Override
      public void copyLater(long at, MemorySegment chunk) {
        locked(() -> stagedWrite(chunk, target.buffer(), offset + at));
      }
    };
  }

  private boolean isDone() {
    lock.lock();
    try {
      return recorder.isIdle();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for all work. */
  private void await() {
    recorder.await();
    staging.restart();
  }

  /** Waits for all work, and lets the host copy. */
  private void inPlace(Kind kind, MemorySegment chunk, Runnable copy) {
    locked(
        () -> {
          requireOpen();
          await();
        });
    long start = System.nanoTime();
    copy.run();
    if (times != null) {
      times.copied(Command.copy(kind, chunk.byteSize()), start);
    }
  }

  private void stagedWrite(MemorySegment chunk, DeviceBuffer target, long offset) {
    for (long at = 0; at < chunk.byteSize(); at += StagingRing.MOST_BYTES) {
      long size = Math.min(StagingRing.MOST_BYTES, chunk.byteSize() - at);
      Command command = Command.copy(Kind.COPY_IN, size);
      requireOpen();
      recorder.prepare();
      DeviceBuffer room = staging.buffer(command.toString());
      long staged = staging.take(size, COPY_ALIGNMENT);
      calls.write(chunk.asSlice(at, size), room, staged);
      recorder.record(command, new Step.Copy(room, staged, target, offset + at, size));
      if (size == StagingRing.MOST_BYTES) {
        // The device copies while the host fills the next part.
        recorder.submit();
      }
    }
  }

  @Override
  public void read(VulkanMemory source, long offset, MemorySegment target) {
    context.run(() -> copies.out(target, (at, chunk) -> read(source.buffer(), offset + at, chunk)));
  }

  private void read(DeviceBuffer from, long offset, MemorySegment chunk) {
    if (from.isMapped()) {
      inPlace(Kind.COPY_OUT, chunk, () -> calls.read(from, offset, chunk));
    } else {
      locked(() -> stagedRead(from, offset, chunk));
    }
  }

  private void stagedRead(DeviceBuffer source, long offset, MemorySegment chunk) {
    Runnable fetch = () -> {};
    for (long at = 0; at < chunk.byteSize(); at += StagingRing.MOST_BYTES) {
      long size = Math.min(StagingRing.MOST_BYTES, chunk.byteSize() - at);
      Command command = Command.copy(Kind.COPY_OUT, size);
      requireOpen();
      recorder.prepare();
      DeviceBuffer room = staging.buffer(command.toString());
      long staged = staging.take(size, COPY_ALIGNMENT);
      long value = timeline.next();
      recorder.record(command, new Step.Copy(source, offset + at, room, staged, size));
      recorder.submit();
      // The device copies the next part while the host takes the one before.
      fetch.run();
      MemorySegment to = chunk.asSlice(at, size);
      fetch =
          () -> {
            timeline.await(value, command.toString());
            calls.read(room, staged, to);
          };
    }
    fetch.run();
    await();
  }

  @Override
  public void copy(
      VulkanMemory source, long sourceOffset, VulkanMemory target, long targetOffset, long size) {
    used(
        () -> {
          requireOpen();
          recorder.record(
              Command.copy(Kind.COPY_WITHIN, size),
              new Step.Copy(source.buffer(), sourceOffset, target.buffer(), targetOffset, size));
        });
  }

  /**
   * Launches a kernel; it runs after what the stream was given before.
   *
   * @param function what it is part of, for profiles
   * @param arguments one for each parameter: blocks of this device and numbers
   * @throws BackendException when there are more work-groups than the device launches, or a block
   *     cannot be used from a byte on
   */
  void launch(VulkanKernel kernel, String function, List<KernelArgument> arguments, WorkSize size) {
    int given = kernel.shape().workGroupSize();
    if (given > 0 && size.workGroupSize() != given) {
      throw new BackendException(
          ErrorKind.INTERNAL,
          context.id()
              + " cannot launch the kernel "
              + kernel
              + " with "
              + size
              + ": it was built for groups of "
              + given);
    }
    long[] workGroups = workGroups(size);
    WorkGroupLimits.requireCount(context, kernel, workGroups);
    used(
        () -> {
          requireOpen();
          kernel.use(
              () ->
                  recorder.record(
                      Command.kernel(function), launched.launch(kernel, arguments, workGroups)));
        });
  }

  private static long[] workGroups(WorkSize size) {
    long[] workGroups = {1, 1, 1};
    long[] global = size.global();
    long[] local = size.local();
    for (int axis = 0; axis < global.length; axis++) {
      workGroups[axis] = global[axis] / local[axis];
    }
    return workGroups;
  }

  @Override
  public void synchronize() {
    context.requireUsable();
    locked(
        () -> {
          if (!closed) {
            finish();
          }
        });
  }

  private void finish() {
    await();
    if (times != null) {
      recorder.sample(times);
    }
  }

  @Override
  public Event record() {
    lock.lock();
    try {
      // Nothing that was submitted will run any more.
      boolean done = closed || context.isLost();
      if (!done && recorder.hasWaits()) {
        recorder.begin();
      }
      return new VulkanEvent(context, device, timeline, timeline.last(), done);
    } finally {
      lock.unlock();
    }
  }

  /** Sees to it that the device gets what was recorded; called by any thread. */
  private void flush() {
    locked(recorder::flush);
  }

  @Override
  public void waitFor(Event event) {
    context.requireUsable();
    if (!(event instanceof VulkanEvent own) || !own.device().equals(device)) {
      throw GpuStream.foreignEvent(
          context.id(), event, event instanceof VulkanEvent other ? other.device() : null);
    }
    if (own.timeline().equals(timeline) || own.isComplete()) {
      return;
    }
    locked(
        () -> {
          requireOpen();
          recorder.waitFor(own.timeline().point(own.value()));
        });
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed && !context.isLost()) {
        finish();
      }
    } finally {
      releaseHandles();
      context.disown(this);
      lock.unlock();
    }
  }

  /** Also called when the device is closed: what was recorded ends before its memory goes. */
  @Override
  public void releaseHandles() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        end();
        context.retire(
            () -> {
              recorder.destroy();
              staging.destroy();
            });
        context.giveBack(timeline);
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    if (context.isLost()) {
      return;
    }
    try {
      recorder.await();
    } catch (RelaxException | VulkanStatusException e) {
      log.debug("the work of a stream of {} did not end well", context.id(), e);
    }
  }
}
