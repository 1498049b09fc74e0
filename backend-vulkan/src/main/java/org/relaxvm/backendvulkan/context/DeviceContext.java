package org.relaxvm.backendvulkan.context;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendvulkan.driver.BufferUse;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.slf4j.LoggerFactory;

/**
 * What is held of one device: its {@code VkDevice}, made at the first use, and everything in it.
 * Also the one place that turns codes of Vulkan into the errors of the SPI, and remembers that the
 * device is lost.
 *
 * <p>Thread-safe.
 */
public final class DeviceContext {
  private static final String NEW_ONE =
      "\n  what to do: close the virtual machine and make another; if it happens again, look for"
          + " messages of the driver in the system's log";

  /** What a kernel sees instead of no tensor. */
  private static final int NOTHING_BYTES = 16;

  private final DeviceId id;
  private final Vulkan vulkan;
  private final FoundDevice found;
  private final Set<Owned> owned = ConcurrentHashMap.newKeySet();
  private final Retirement retirement = new Retirement();

  /** Taken to make something, or for writing to close. */
  private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

  private volatile @Nullable DeviceCalls calls;
  private @Nullable DeviceBuffer nothing;
  private volatile @Nullable String lost;
  private volatile boolean closed;

  /** Prepares to use a device; makes nothing. */
  public DeviceContext(DeviceId id, Vulkan vulkan, FoundDevice found) {
    this.id = id;
    this.vulkan = vulkan;
    this.found = found;
  }

  /** The name of the device. */
  public DeviceId id() {
    return id;
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
   * The calls to use the device with; the first time takes it into use.
   *
   * @throws BackendException when the device is closed or lost, or cannot be used
   */
  public DeviceCalls calls() {
    requireUsable();
    DeviceCalls made = calls;
    return made != null ? made : make();
  }

  private synchronized DeviceCalls make() {
    DeviceCalls made = calls;
    if (made != null) {
      return made;
    }
    requireUsable();
    try {
      made = vulkan.createDevice(found.instance(), found.physical(), found.facts().report());
    } catch (VulkanStatusException e) {
      throw e.code() == Vulkan.INITIALIZATION_FAILED ? lostBy(e, "be used") : failure(e, "be used");
    }
    calls = made;
    return made;
  }

  /** Memory that stands for that of tensors without elements. */
  public synchronized DeviceBuffer nothing() {
    DeviceBuffer made = nothing;
    if (made == null) {
      try {
        made = calls().createBuffer(NOTHING_BYTES, BufferUse.DEVICE);
      } catch (VulkanStatusException e) {
        throw allocationFailure(e, "allocate " + NOTHING_BYTES + " bytes", NOTHING_BYTES);
      }
      nothing = made;
    }
    return made;
  }

  /**
   * A timeline for a stream, which releases it.
   *
   * @param flush hands over what the stream has recorded; called by any thread
   */
  public Timeline timeline(Runnable flush) {
    try {
      return retirement.timeline(this, calls(), flush);
    } catch (VulkanStatusException e) {
      throw failure(e, "make a semaphore");
    }
  }

  /** Takes back the timeline of a stream, all of whose work was submitted. */
  public void giveBack(Timeline timeline) {
    retirement.giveBack(timeline);
  }

  /** Destroys something when all work of now is done, or the device is closed. */
  public void retire(Runnable destroy) {
    retirement.retire(destroy);
  }

  /** Destroys what was retired and can be. */
  public void sweep() {
    retirement.sweep();
  }

  /** Waits until all that was retired is destroyed; gives whether there was something. */
  public boolean drain() {
    return retirement.drain();
  }

  /**
   * Makes something that {@link #close()} releases unless it is disowned before. The device is not
   * closed meanwhile: what is made of a device that is gone would end the process.
   *
   * @throws BackendException when the device is closed or lost, or what the maker throws
   */
  public <T extends Owned> T make(Supplier<T> maker) {
    life.readLock().lock();
    try {
      requireUsable();
      T made = maker.get();
      owned.add(made);
      return made;
    } finally {
      life.readLock().unlock();
    }
  }

  /**
   * Uses what was made. The device is not closed meanwhile: its memory would go from under the
   * host's hands.
   *
   * @throws BackendException when the device is closed or lost, or what the work throws
   */
  public void use(Runnable work) {
    life.readLock().lock();
    try {
      requireUsable();
      work.run();
    } finally {
      life.readLock().unlock();
    }
  }

  /** As {@link #make}, for what is made while something else is. */
  public void own(Owned holder) {
    owned.add(holder);
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
  public RelaxException failure(VulkanStatusException e, String what) {
    return switch (e.code()) {
      case Vulkan.DEVICE_LOST -> lostBy(e, what);
      case Vulkan.OUT_OF_DEVICE_MEMORY, Vulkan.OUT_OF_HOST_MEMORY, Vulkan.OUT_OF_POOL_MEMORY ->
          outOfMemory(e, what, 0);
      default -> lost != null ? lostError(e) : refused(e, what);
    };
  }

  /**
   * The error for an allocation that failed.
   *
   * @param what says how much was asked for, how much is in use, and the limit
   */
  public RelaxException allocationFailure(VulkanStatusException e, String what, long byteSize) {
    return isOutOfMemory(e) ? outOfMemory(e, what, byteSize) : failure(e, what);
  }

  /** Whether a call failed for want of memory. */
  public static boolean isOutOfMemory(VulkanStatusException e) {
    return switch (e.code()) {
      case Vulkan.OUT_OF_DEVICE_MEMORY,
          Vulkan.OUT_OF_HOST_MEMORY,
          Vulkan.TOO_MANY_OBJECTS,
          Vulkan.FRAGMENTATION ->
          true;
      default -> false;
    };
  }

  /** The error for work that failed after it was recorded, which leaves the device unusable. */
  public RelaxException workFailure(VulkanStatusException e, String what) {
    return lostBy(e, what);
  }

  private RelaxException outOfMemory(VulkanStatusException e, String what, long byteSize) {
    if (lost != null) {
      return lostError(e);
    }
    return new DeviceOutOfMemoryException(byteSize, sentence(e, what), e);
  }

  private BackendException refused(VulkanStatusException e, String what) {
    return new BackendException(
        ErrorKind.RUNTIME,
        sentence(e, what)
            + "\n  what to do: compare with the limits of the device, which 'relaxvm doctor'"
            + " shows",
        e);
  }

  private synchronized BackendException lostBy(VulkanStatusException e, String what) {
    if (lost == null) {
      lost = sentence(e, what);
    }
    return lostError(e);
  }

  private BackendException lostError(@Nullable VulkanStatusException e) {
    return new BackendException(
        ErrorKind.RUNTIME,
        "device " + id + " is lost and cannot be used any more: " + lost + NEW_ONE,
        e);
  }

  private String sentence(VulkanStatusException e, String what) {
    return id + " cannot " + what + ": " + e.getMessage();
  }

  /** Releases everything; closing again does nothing. */
  public void close() {
    DeviceCalls made;
    life.writeLock().lock();
    try {
      closed = true;
      made = calls;
      calls = null;
    } finally {
      life.writeLock().unlock();
    }
    for (Owned holder : owned) {
      holder.releaseHandles();
    }
    owned.clear();
    if (made != null) {
      awaitIdle(made);
      retirement.close();
      synchronized (this) {
        if (nothing != null) {
          made.destroyBuffer(nothing);
          nothing = null;
        }
      }
      made.destroy();
    }
  }

  private void awaitIdle(DeviceCalls made) {
    try {
      made.awaitIdle();
    } catch (VulkanStatusException e) {
      LoggerFactory.getLogger(DeviceContext.class).debug("the work of {} did not end well", id, e);
    }
  }
}
