package org.relaxvm.backendcuda.context;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.DeviceLifetime;

/**
 * The primary context of a device, retained at its first use. Translates status codes of CUDA into
 * the errors of the SPI.
 *
 * <p>Thread-safe.
 */
public final class DeviceContext extends DeviceLifetime {
  private static final int OUT_OF_MEMORY = 2;

  /** {@code CUDA_ERROR_DEVICE_UNAVAILABLE}. */
  private static final int UNAVAILABLE = 46;

  private static final String WHEN_UNAVAILABLE =
      "end the process that has the device for itself, which 'nvidia-smi' shows ('nvidia-smi -q -d"
          + " COMPUTE' shows whether it is given to one process only), or use another device";

  private static final int MOST_NAMES = 8;

  private final Cuda cuda;
  private final FoundDevice found;
  private final Set<Working> working = ConcurrentHashMap.newKeySet();
  private final Blocks blocks;
  private volatile Handle.@Nullable Context context;

  /** Prepares to use a device; makes nothing. */
  public DeviceContext(DeviceId id, Cuda cuda, FoundDevice found) {
    this(id, cuda, found, BackendOptions.none());
  }

  /** As the other constructor, with options of the backend. */
  public DeviceContext(DeviceId id, Cuda cuda, FoundDevice found, BackendOptions options) {
    super(id, options);
    this.cuda = cuda;
    this.found = found;
    this.blocks = new Blocks(this);
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

  /**
   * The context, which the first call takes hold of.
   *
   * @throws BackendException when the device is closed, lost or too old, or cannot be used
   */
  public Handle.Context handle() {
    requireUsable();
    Handle.Context made = context;
    return made != null ? made : retain();
  }

  private synchronized Handle.Context retain() {
    Handle.Context made = context;
    if (made != null) {
      return made;
    }
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
          id()
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
  @Override
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
    return e.code() == OUT_OF_MEMORY
        ? outOfMemory(e, what, 0)
        : refused(e, what, e.code() == UNAVAILABLE ? WHEN_UNAVAILABLE : COMPARE_WITH_LIMITS);
  }

  /**
   * The error for an allocation that failed.
   *
   * @param what says how much was asked for, how much is in use, and the limit
   */
  public RelaxException allocationFailure(CudaStatusException e, String what, long byteSize) {
    return e.code() == OUT_OF_MEMORY ? outOfMemory(e, what, byteSize) : failure(e, what);
  }

  /** The error for work that failed after it was handed over, which leaves the device unusable. */
  public RelaxException workFailure(CudaStatusException e, String what) {
    return e.code() == OUT_OF_MEMORY ? failure(e, what) : lostBy(e, what);
  }

  private BackendException lostBy(CudaStatusException e, String what) {
    return lostBy(
        e,
        () -> {
          Faults.Fault fault = Faults.of(e.code());
          return sentence(e, what)
              + "\n  reason: "
              + fault.reason()
              + kernels()
              + "\n  what to do: end this process and start it again, since CUDA fails from now on"
              + " whatever it is asked; "
              + fault.whatShowsMore();
        });
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

  @Override
  protected void releaseDevice() {
    blocks.releaseHandles();
    Handle.Context made = context;
    if (made != null) {
      context = null;
      cuda.release(made);
    }
  }
}
