package org.relaxvm.backendopencl;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jocl.cl_command_queue;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendopencl.program.OpenClKernel;
import org.relaxvm.backendsupport.gpu.device.Command;
import org.relaxvm.backendsupport.gpu.device.GpuStream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendsupport.staging.HostCopies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One queue that works in order.
 *
 * <p><b>Copies.</b> Copies to the host wait until they are done; copies from the host go as {@link
 * HostCopies} says.
 *
 * <p>Used by one thread at a time, but for {@link #record()} and {@link #flush()}.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why do copies block?"
 */
final class OpenClStream implements GpuStream<OpenClMemory> {
  private final Logger log = LoggerFactory.getLogger(OpenClStream.class);
  private final OpenClDevice device;
  private final DeviceContext context;
  private final OpenCl cl;
  private final HostCopies copies;
  private volatile @Nullable cl_command_queue queue;
  private final @Nullable QueueTimes times;
  private boolean idle = true;

  /**
   * Opens a queue.
   *
   * @param times is told what the queue does and when; null when nobody asks
   */
  OpenClStream(OpenClDevice device, DeviceContext context, @Nullable QueueTimes times) {
    this.device = device;
    this.context = context;
    this.cl = context.cl();
    this.copies = HostCopies.of(context.id());
    this.times = times;
    try {
      queue = cl.createQueue(context.handle(), context.device(), times != null);
    } catch (OpenClStatusException e) {
      throw context.failure(e, "make a queue");
    }
  }

  @Override
  public Device device() {
    return device;
  }

  private interface Enqueue {
    void into(cl_command_queue queue, @Nullable cl_event event);
  }

  /** Enqueues work, while the device cannot be closed. */
  private void submit(Command command, Enqueue enqueue) {
    context.run(() -> enqueue(command, enqueue));
  }

  private void enqueue(Command command, Enqueue enqueue) {
    cl_command_queue live = queue;
    if (live == null) {
      throw GpuStream.closed(context.id());
    }
    cl_event event = times == null ? null : new cl_event();
    long submitted = times == null ? 0 : System.nanoTime();
    try {
      enqueue.into(live, event);
    } catch (OpenClStatusException e) {
      throw context.failure(e, command.toString());
    }
    if (times != null && event != null) {
      times.submitted(command, submitted, event);
    }
    idle = false;
  }

  @Override
  public void write(MemorySegment source, OpenClMemory target, long offset) {
    context.run(() -> copies.in(source, incoming(target, offset)));
  }

  private HostCopies.Incoming incoming(OpenClMemory target, long offset) {
    return new HostCopies.Incoming() {
      @Override
      public boolean isIdle() {
        return idle;
      }

      @Override
      public void copy(long at, MemorySegment chunk) {
        ByteBuffer bytes = chunk.asByteBuffer();
        submit(
            Command.copy(Command.Kind.COPY_IN, chunk.byteSize()),
            (to, event) -> cl.write(to, target.handle(), offset + at, bytes, event));
        idle = true;
      }

      @Override
      public void copyLater(long at, MemorySegment chunk) {
        writeLater(chunk.asByteBuffer(), target.handle(), offset + at);
      }
    };
  }

  private void writeLater(ByteBuffer chunk, cl_mem target, long offset) {
    Command command = Command.copy(Command.Kind.COPY_IN, chunk.limit());
    cl_mem staged;
    try {
      staged = cl.createBuffer(context.handle(), chunk);
    } catch (OpenClStatusException e) {
      throw context.allocationFailure(e, command.toString(), chunk.limit());
    }
    try {
      submit(command, (to, event) -> cl.copy(to, staged, 0, target, offset, chunk.limit(), event));
    } finally {
      // It lives until the copy is done.
      cl.release(staged);
    }
  }

  @Override
  public void read(OpenClMemory source, long offset, MemorySegment target) {
    context.run(
        () ->
            copies.out(
                target,
                (at, chunk) -> {
                  ByteBuffer bytes = chunk.asByteBuffer();
                  submit(
                      Command.copy(Command.Kind.COPY_OUT, chunk.byteSize()),
                      (from, event) -> cl.read(from, source.handle(), offset + at, bytes, event));
                }));
    idle = true;
  }

  @Override
  public void copy(
      OpenClMemory source, long sourceOffset, OpenClMemory target, long targetOffset, long size) {
    submit(
        Command.copy(Command.Kind.COPY_WITHIN, size),
        (to, event) ->
            cl.copy(to, source.handle(), sourceOffset, target.handle(), targetOffset, size, event));
  }

  /**
   * Launches a kernel; it runs after what the stream was given before.
   *
   * @param function what it is part of, for profiles
   * @param arguments one for each parameter: blocks of this device and numbers
   * @throws BackendException when the work-groups are larger than the kernel allows, or a block
   *     cannot be used from a byte on
   */
  void launch(OpenClKernel kernel, String function, List<KernelArgument> arguments, WorkSize size) {
    if (size.workGroupSize() > kernel.maxWorkGroupSize()) {
      throw new BackendException(
          ErrorKind.VALUE,
          context.id()
              + " cannot launch the kernel "
              + kernel
              + " with "
              + size
              + ": a group of it has at most "
              + kernel.maxWorkGroupSize()
              + " work-items\n  what to do: compile the program for the limits of this device,"
              + " which 'relaxvm doctor' shows");
    }
    List<cl_mem> parts = new ArrayList<>(0);
    try {
      submit(
          Command.kernel(function),
          (to, event) ->
              kernel.use(
                  handle -> {
                    for (int i = 0; i < arguments.size(); i++) {
                      setArgument(kernel, handle, i, arguments.get(i), parts);
                    }
                    cl.launch(to, handle, size.global(), size.local(), event);
                  }));
    } finally {
      // They live until the kernel is done.
      parts.forEach(cl::release);
    }
  }

  private void setArgument(
      OpenClKernel kernel,
      cl_kernel handle,
      int index,
      KernelArgument argument,
      List<cl_mem> parts) {
    switch (argument) {
      case KernelArgument.Scalar(int byteSize, long bits) ->
          cl.setArgument(handle, index, byteSize, bits);
      case KernelArgument.Memory(var block, long offset) -> {
        cl_mem memory = null;
        if (block != null) {
          OpenClMemory own = device.own(block);
          memory = own.handle();
          if (offset > 0) {
            memory = part(kernel, index, own, offset);
            parts.add(memory);
          }
        }
        cl.setArgument(handle, index, memory);
      }
      case KernelArgument.TensorMap _ -> throw GpuStream.noTensorMaps(context.id(), index, kernel);
    }
  }

  private cl_mem part(OpenClKernel kernel, int index, OpenClMemory block, long offset) {
    long alignment = context.facts().alignment();
    if (offset % alignment != 0 || offset >= block.byteSize()) {
      throw GpuStream.misaligned(context.id(), index, kernel, offset, block, alignment);
    }
    return cl.createSubBuffer(block.handle(), offset, block.byteSize() - offset);
  }

  @Override
  public void synchronize() {
    context.run(
        () -> {
          cl_command_queue live = queue;
          if (live != null) {
            finish(live);
          }
        });
    idle = true;
  }

  private void finish(cl_command_queue live) {
    try {
      cl.finish(live);
      if (times != null) {
        times.idle(live);
      }
    } catch (OpenClStatusException e) {
      throw context.workFailure(e, "finish the work of a stream");
    }
  }

  @Override
  public synchronized Event record() {
    if (queue == null || context.isLost()) {
      // Nothing that was submitted will run any more.
      return new OpenClEvent(this, context, null);
    }
    return context.make(this::mark);
  }

  private OpenClEvent mark() {
    cl_command_queue live = queue;
    if (live == null) {
      return new OpenClEvent(this, context, null);
    }
    cl_event handle = new cl_event();
    try {
      cl.mark(live, handle);
    } catch (OpenClStatusException e) {
      throw context.failure(e, "mark a point in a stream");
    }
    return new OpenClEvent(this, context, handle);
  }

  /** Sees to it that the device gets what was submitted; called by any thread. */
  synchronized void flush() {
    cl_command_queue live = queue;
    if (live == null) {
      return;
    }
    try {
      cl.flush(live);
    } catch (OpenClStatusException e) {
      throw context.failure(e, "be given the work of a stream");
    }
  }

  @Override
  public void waitFor(Event event) {
    context.requireUsable();
    if (!(event instanceof OpenClEvent own) || !own.device().equals(device)) {
      throw GpuStream.foreignEvent(
          context.id(), event, event instanceof OpenClEvent other ? other.device() : null);
    }
    if (own.stream().equals(this)) {
      return;
    }
    own.use(
        handle -> {
          own.flush();
          cl_command_queue live = queue;
          if (live == null) {
            throw GpuStream.closed(context.id());
          }
          try {
            cl.barrier(live, handle);
          } catch (OpenClStatusException e) {
            throw context.failure(e, "wait for another stream");
          }
          idle = false;
        });
  }

  @Override
  public void close() {
    try {
      context.runIfOpen(
          () -> {
            cl_command_queue live = queue;
            if (live != null && !context.isLost()) {
              finish(live);
            }
          });
    } finally {
      releaseHandles();
      context.disown(this);
    }
  }

  /** Also called when the device is closed: what was submitted ends before its memory goes. */
  @Override
  public synchronized void releaseHandles() {
    cl_command_queue live = queue;
    if (live != null) {
      queue = null;
      if (!context.isLost()) {
        try {
          cl.finish(live);
        } catch (OpenClStatusException e) {
          log.debug("the work of a stream of {} did not end well", context.id(), e);
        }
      }
      cl.release(live);
    }
  }
}
