package org.relaxvm.backendcuda.context;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;

/**
 * What is held of one device: its primary context, from the first use on, and everything in it.
 * Also the one place that turns codes of CUDA into the errors of the SPI, and remembers that the
 * device is lost.
 *
 * <p>Thread-safe.
 */
public final class DeviceContext {
  private static final int OUT_OF_MEMORY = 2;

  /** {@code CUDA_ERROR_DEVICE_UNAVAILABLE}. */
  private static final int UNAVAILABLE = 46;

  private static final String WHEN_UNAVAILABLE =
      "end the process that has the device for itself, which 'nvidia-smi' shows ('nvidia-smi -q -d"
          + " COMPUTE' shows whether it is given to one process only), or use another device";

  private static final String WITHIN_LIMITS =
      "compare with the limits of the device, which 'relaxvm doctor' shows";
  private static final int MOST_NAMES = 8;

  private final DeviceId id;
  private final Cuda cuda;
  private final FoundDevice found;
  private final Set<Owned> owned = ConcurrentHashMap.newKeySet();
  private final Set<Working> working = ConcurrentHashMap.newKeySet();
  private final Blocks blocks;
  private volatile Handle.@Nullable Context context;
  private volatile @Nullable String lost;
  private volatile boolean closed;

  /** Prepares to use a device; makes nothing. */
  public DeviceContext(DeviceId id, Cuda cuda, FoundDevice found) {
    this.id = id;
    this.cuda = cuda;
    this.found = found;
    this.blocks = new Blocks(this);
  }

  /** The name of the device. */
  public DeviceId id() {
    return id;
  }

  /** The calls to use it with. */
  public Cuda cuda() {
    return cuda;
  }

  /** The driver's number of the device. */
  public int ordinal() {
    return found.ordinal();
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

  /** Refuses a device that is closed; what is held of a lost one may still be released. */
  public void requireOpen() {
    if (closed) {
      throw new BackendException(ErrorKind.VALUE, id + " is closed: it cannot be used any more");
    }
  }

  /**
   * The context, which the first call takes hold of.
   *
   * @throws BackendException when the device is closed, lost or too old, or cannot be used
   */
  public Handle.Context handle() {
    requireUsable();
    Handle.Context made = context;
    return made != null ? made : make();
  }

  private synchronized Handle.Context make() {
    Handle.Context made = context;
    if (made != null) {
      return made;
    }
    requireUsable();
    requireNewEnough();
    try {
      made = cuda.retainContext(found.ordinal());
    } catch (CudaStatusException e) {
      throw failure(e, "be used");
    }
    context = made;
    return made;
  }

  private void requireNewEnough() {
    if (!facts().isNewEnough()) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          id
              + " ("
              + facts().report().name()
              + ") is too old: it has compute capability "
              + facts().capability()
              + ", but "
              + DeviceFacts.oldestCapability()
              + " or later is needed"
              + "\n  what to do: use another device, which 'relaxvm doctor' shows, such as cpu or"
              + " this one through OpenCL or Vulkan");
    }
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

  /** Memory of the device. */
  public Blocks blocks() {
    return blocks;
  }

  /**
   * What all processes together have left of the device's memory, as the end of a sentence; empty
   * when the device does not say.
   */
  public String freeMemory() {
    Handle.Context made = context;
    if (made == null || isLost()) {
      return "";
    }
    try {
      return " by this process and " + cuda.freeMemory(made).free() + " free for all";
    } catch (CudaStatusException _) {
      return "";
    }
  }

  /** A stream was opened: its work is waited for, and its kernels are told of. */
  public void add(Working stream) {
    working.add(stream);
  }

  /** A stream was closed. */
  public void remove(Working stream) {
    working.remove(stream);
  }

  /** Waits for the work of all streams, before something goes that it may use. Never throws. */
  public void finishWork() {
    if (!isLost()) {
      working.forEach(Working::finish);
    }
  }

  /** Whether a call failed alone, so that the device can be asked for other things. */
  public static boolean isRefusal(CudaStatusException e) {
    return !Faults.areLasting(e.code());
  }

  /**
   * The error for a call that failed.
   *
   * @param what the device was to do, such as {@code launch the kernel k}
   */
  public RelaxException failure(CudaStatusException e, String what) {
    if (Faults.areLasting(e.code())) {
      return lostBy(e, what);
    }
    if (lost != null) {
      return lostError(e);
    }
    return e.code() == OUT_OF_MEMORY ? outOfMemory(e, what, 0) : refused(e, what);
  }

  /**
   * The error for an allocation that failed.
   *
   * @param what says how much was asked for, how much is in use, and the limit
   */
  public RelaxException allocationFailure(CudaStatusException e, String what, long byteSize) {
    return e.code() == OUT_OF_MEMORY && lost == null
        ? outOfMemory(e, what, byteSize)
        : failure(e, what);
  }

  /** The error for work that failed after it was handed over, which leaves the device unusable. */
  public RelaxException workFailure(CudaStatusException e, String what) {
    return e.code() == OUT_OF_MEMORY ? failure(e, what) : lostBy(e, what);
  }

  private DeviceOutOfMemoryException outOfMemory(CudaStatusException e, String what, long size) {
    return new DeviceOutOfMemoryException(size, sentence(e, what), e);
  }

  private BackendException refused(CudaStatusException e, String what) {
    return new BackendException(
        ErrorKind.RUNTIME,
        sentence(e, what)
            + "\n  what to do: "
            + (e.code() == UNAVAILABLE ? WHEN_UNAVAILABLE : WITHIN_LIMITS),
        e);
  }

  private synchronized BackendException lostBy(CudaStatusException e, String what) {
    if (lost == null) {
      Faults.Fault fault = Faults.of(e.code());
      lost =
          sentence(e, what)
              + "\n  reason: "
              + fault.reason()
              + kernels()
              + "\n  what to do: end this process and start it again, since CUDA fails from now on"
              + " whatever it is asked; "
              + fault.whatShowsMore();
    }
    return lostError(e);
  }

  /** Those that ran or were to run when the device failed. */
  private String kernels() {
    Set<String> names = new LinkedHashSet<>();
    long count = 0;
    for (Working stream : working) {
      count += stream.kernels().count();
      names.addAll(stream.kernels().latest());
    }
    if (names.isEmpty()) {
      return "";
    }
    List<String> shown = new ArrayList<>(names);
    return "\n  kernels launched since streams were waited for, the latest first: "
        + String.join(", ", shown.subList(0, Math.min(MOST_NAMES, shown.size())))
        + (count > names.size() ? " (" + count + " launches)" : "");
  }

  private BackendException lostError(@Nullable CudaStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME, "device " + id + " is lost and cannot be used any more: " + lost, e);
  }

  private String sentence(CudaStatusException e, String what) {
    return id + " cannot " + what + ": " + e.getMessage();
  }

  /** Releases everything once its work is done; closing again does nothing. */
  public void close() {
    finishWork();
    Handle.Context made;
    synchronized (this) {
      closed = true;
      made = context;
      context = null;
    }
    for (Owned holder : owned) {
      holder.releaseHandles();
    }
    owned.clear();
    blocks.releaseHandles();
    if (made != null) {
      cuda.release(made);
    }
  }
}
