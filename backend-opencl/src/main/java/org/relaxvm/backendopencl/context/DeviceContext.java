package org.relaxvm.backendopencl.context;

import org.jocl.CL;
import org.jocl.cl_context;
import org.jocl.cl_device_id;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendsupport.gpu.device.DeviceLifetime;

/**
 * The {@code cl_context} of a device, created at its first use. Translates status codes of OpenCL
 * into the errors of the SPI.
 *
 * <p>Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why does listing devices create no context?"
 */
public final class DeviceContext extends DeviceLifetime {
  private final OpenCl cl;
  private final FoundDevice found;
  private volatile @Nullable cl_context context;

  /** Prepares to use a device; creates nothing. */
  public DeviceContext(DeviceId id, OpenCl cl, FoundDevice found) {
    this(id, cl, found, BackendOptions.none());
  }

  /** As the other constructor, with options of the backend. */
  public DeviceContext(DeviceId id, OpenCl cl, FoundDevice found, BackendOptions options) {
    super(id, options);
    this.cl = cl;
    this.found = found;
  }

  /** The calls to use it with. */
  public OpenCl cl() {
    return cl;
  }

  /** The device. */
  public cl_device_id device() {
    return found.device();
  }

  /** What the device says of itself. */
  public DeviceFacts facts() {
    return found.facts();
  }

  /**
   * The context, which the first call creates.
   *
   * @throws BackendException when the device is closed or lost, or cannot be used
   */
  public cl_context handle() {
    requireUsable();
    cl_context made = context;
    return made != null ? made : create();
  }

  private synchronized cl_context create() {
    cl_context made = context;
    if (made != null) {
      return made;
    }
    try {
      made = cl.createContext(found.platform(), found.device());
    } catch (OpenClStatusException e) {
      throw failure(e, "be used");
    }
    context = made;
    return made;
  }

  /**
   * The error for a call that failed.
   *
   * @param what the device was to do, such as {@code launch the kernel k}
   */
  public RelaxException failure(OpenClStatusException e, String what) {
    return switch (e.code()) {
      case CL.CL_DEVICE_NOT_AVAILABLE,
          CL.CL_INVALID_COMMAND_QUEUE,
          CL.CL_INVALID_CONTEXT,
          OpenCl.NVIDIA_ILLEGAL_ACCESS ->
          lostBy(e, what);
      case CL.CL_MEM_OBJECT_ALLOCATION_FAILURE, CL.CL_OUT_OF_HOST_MEMORY -> outOfMemory(e, what, 0);
      default -> refused(e, what, COMPARE_WITH_LIMITS);
    };
  }

  /**
   * The error for an allocation that failed.
   *
   * @param what says how much was asked for, how much is in use, and the limit
   */
  public RelaxException allocationFailure(OpenClStatusException e, String what, long byteSize) {
    return switch (e.code()) {
      case CL.CL_OUT_OF_RESOURCES,
          CL.CL_INVALID_BUFFER_SIZE,
          CL.CL_MEM_OBJECT_ALLOCATION_FAILURE,
          CL.CL_OUT_OF_HOST_MEMORY ->
          outOfMemory(e, what, byteSize);
      default -> failure(e, what);
    };
  }

  /** The error for work that failed after it was handed over, which leaves the device unusable. */
  public RelaxException workFailure(OpenClStatusException e, String what) {
    return switch (e.code()) {
      case CL.CL_MEM_OBJECT_ALLOCATION_FAILURE, CL.CL_OUT_OF_HOST_MEMORY -> outOfMemory(e, what, 0);
      default -> lostBy(e, what);
    };
  }

  private BackendException lostBy(OpenClStatusException e, String what) {
    return lostBy(e, () -> sentence(e, what) + MAKE_ANOTHER_MACHINE);
  }

  @Override
  protected void releaseDevice() {
    cl_context made = context;
    if (made != null) {
      context = null;
      cl.release(made);
    }
  }
}
