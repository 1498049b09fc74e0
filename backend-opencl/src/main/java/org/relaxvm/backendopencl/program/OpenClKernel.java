package org.relaxvm.backendopencl.program;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jocl.cl_kernel;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendsupport.gpu.device.GpuStream;

/**
 * A kernel that can be launched. Its arguments are a state of the handle, so that they are set and
 * the kernel is enqueued by one thread at a time.
 *
 * <p>Thread-safe; valid until its program is closed.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why is a sub-buffer created per launch and
 * released at once?"
 */
public final class OpenClKernel {
  private final DeviceContext context;
  private final String name;
  private final cl_kernel handle;
  private final long maxWorkGroupSize;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean released;

  OpenClKernel(DeviceContext context, String name, cl_kernel handle, long maxWorkGroupSize) {
    this.context = context;
    this.name = name;
    this.handle = handle;
    this.maxWorkGroupSize = maxWorkGroupSize;
  }

  /** Its name in the source. */
  public String name() {
    return name;
  }

  /** The work-items that a work-group may have, given what the kernel needs of the device. */
  public long maxWorkGroupSize() {
    return maxWorkGroupSize;
  }

  /**
   * Sets arguments and enqueues, alone.
   *
   * @throws org.relaxvm.api.error.BackendException when the kernel's program was closed
   */
  public void use(Consumer<? super cl_kernel> work) {
    lock.lock();
    try {
      if (released) {
        throw GpuStream.closedProgram(context.id(), name);
      }
      work.accept(handle);
    } finally {
      lock.unlock();
    }
  }

  /** Called once; a launch under way ends first. */
  void release() {
    lock.lock();
    try {
      released = true;
      context.cl().release(handle);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
