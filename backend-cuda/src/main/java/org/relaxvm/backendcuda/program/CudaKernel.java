package org.relaxvm.backendcuda.program;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.FunctionReport;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.GpuStream;

/** A kernel that can be launched. Thread-safe; valid until its program is closed. */
public final class CudaKernel {
  private final DeviceContext context;
  private final String name;
  private final Handle.Function handle;
  private final FunctionReport report;
  private volatile int allowedShared;
  private volatile boolean released;

  CudaKernel(DeviceContext context, String name, Handle.Function handle, FunctionReport report) {
    this.context = context;
    this.name = name;
    this.handle = handle;
    this.report = report;
    // More than that is given only to kernels that are allowed to.
    this.allowedShared = context.facts().report().sharedBytes() - report.sharedBytes();
  }

  /** Its name in the program. */
  public String name() {
    return name;
  }

  /**
   * Its handle, for a launch of a shape.
   *
   * @throws BackendException when the kernel's program was closed, or the device has not what the
   *     launch needs
   */
  public Handle.Function forLaunch(LaunchShape shape) {
    if (released) {
      throw GpuStream.closedProgram(context.id(), name);
    }
    if (shape.block().count() > report.maxThreads()) {
      throw refused(shape, "a block of it has at most " + report.maxThreads() + " threads");
    }
    if (context.facts().isTooLarge(shape.grid())) {
      throw refused(
          shape, "the device launches at most " + context.facts().report().maxGrid() + " blocks");
    }
    if (shape.sharedBytes() > allowedShared) {
      allowShared(shape);
    }
    return handle;
  }

  private synchronized void allowShared(LaunchShape shape) {
    int most = context.facts().report().sharedBytesAllowed() - report.sharedBytes();
    if (shape.sharedBytes() > most) {
      throw refused(
          shape,
          "beside the "
              + report.sharedBytes()
              + " bytes of shared memory that it has by itself there are at most "
              + most);
    }
    if (shape.sharedBytes() > allowedShared) {
      try {
        context.cuda().allowDynamicShared(context.handle(), handle, shape.sharedBytes());
      } catch (CudaStatusException e) {
        throw context.failure(
            e, "allow the kernel " + name + " " + shape.sharedBytes() + " bytes of shared memory");
      }
      allowedShared = shape.sharedBytes();
    }
  }

  private BackendException refused(LaunchShape shape, String why) {
    return new BackendException(
        ErrorKind.VALUE,
        context.id()
            + " cannot launch the kernel "
            + name
            + " with "
            + shape
            + ": "
            + why
            + "\n  what to do: compile the program for the limits of this device, which 'relaxvm"
            + " doctor' shows");
  }

  void release() {
    released = true;
  }

  @Override
  public String toString() {
    return name;
  }
}
