package org.relaxvm.backendopencl.context;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jocl.CL;
import org.jocl.cl_context;
import org.jocl.cl_device_id;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;

/**
 * What is held of one device: its context, made at the first use, and everything in it. Also the
 * one place that turns codes of OpenCL into the errors of the SPI, and remembers that the device is
 * lost.
 *
 * <p>Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why does listing devices create no context?"
 */
public final class DeviceContext {
  private static final String NEW_ONE =
      "\n  what to do: close the virtual machine and make another; if it happens again, look for"
          + " messages of the driver in the system's log";

  private final DeviceId id;
  private final OpenCl cl;
  private final FoundDevice found;
  private final Set<Owned> owned = ConcurrentHashMap.newKeySet();
  private volatile @Nullable cl_context context;
  private volatile @Nullable String lost;
  private volatile boolean closed;

  /** Prepares to use a device; makes nothing. */
  public DeviceContext(DeviceId id, OpenCl cl, FoundDevice found) {
    this.id = id;
    this.cl = cl;
    this.found = found;
  }

  /** The name of the device. */
  public DeviceId id() {
    return id;
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

  /** Whether an earlier failure means that the device is gone. */
  public boolean isLost() {
    return lost != null;
  }

  /**
   * Refuses a device that is closed or lost.
   *
   * @throws BackendException that says which
   */
  public void requireUsable() {
    requireOpen();
    if (lost != null) {
      throw lostError(null);
    }
  }

  /** Refuses a device that is closed; what is held of a lost one may still be given back. */
  public void requireOpen() {
    if (closed) {
      throw new BackendException(ErrorKind.VALUE, id + " is closed: it cannot be used any more");
    }
  }

  /**
   * The context, which the first call makes.
   *
   * @throws BackendException when the device is closed or lost, or cannot be used
   */
  public cl_context handle() {
    requireUsable();
    cl_context made = context;
    return made != null ? made : make();
  }

  private synchronized cl_context make() {
    cl_context made = context;
    if (made != null) {
      return made;
    }
    requireUsable();
    try {
      made = cl.createContext(found.platform(), found.device());
    } catch (OpenClStatusException e) {
      throw failure(e, "be used");
    }
    context = made;
    return made;
  }

  /** Adds something that {@link #close()} releases unless it is disowned before. */
  public void own(Owned holder) {
    owned.add(holder);
    if (closed) {
      // Closed by another thread in between: nobody else will release it.
      holder.releaseHandles();
      requireUsable();
    }
  }

  /** Removes something that was released. */
  public void disown(Owned holder) {
    owned.remove(holder);
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
      default -> lost != null ? lostError(e) : refused(e, what);
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

  private RelaxException outOfMemory(OpenClStatusException e, String what, long byteSize) {
    if (lost != null) {
      return lostError(e);
    }
    return new DeviceOutOfMemoryException(byteSize, sentence(e, what), e);
  }

  private BackendException refused(OpenClStatusException e, String what) {
    return new BackendException(
        ErrorKind.RUNTIME,
        sentence(e, what)
            + "\n  what to do: compare with the limits of the device, which 'relaxvm doctor'"
            + " shows",
        e);
  }

  private synchronized BackendException lostBy(OpenClStatusException e, String what) {
    if (lost == null) {
      lost = sentence(e, what);
    }
    return lostError(e);
  }

  private BackendException lostError(@Nullable OpenClStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "device " + id + " is lost and cannot be used any more: " + lost + NEW_ONE,
        e);
  }

  private String sentence(OpenClStatusException e, String what) {
    return id + " cannot " + what + ": " + e.getMessage();
  }

  /** Releases everything; closing again does nothing. */
  public void close() {
    cl_context made;
    synchronized (this) {
      closed = true;
      made = context;
      context = null;
    }
    for (Owned holder : owned) {
      holder.releaseHandles();
    }
    owned.clear();
    if (made != null) {
      cl.release(made);
    }
  }
}
