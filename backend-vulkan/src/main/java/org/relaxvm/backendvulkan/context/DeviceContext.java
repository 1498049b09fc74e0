package org.relaxvm.backendvulkan.context;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendsupport.gpu.device.DeviceLifetime;
import org.relaxvm.backendvulkan.driver.BufferUse;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.driver.VulkanStatusException;
import org.slf4j.LoggerFactory;

/**
 * The {@code VkDevice} of a device, created at its first use. Translates status codes of Vulkan
 * into the errors of the SPI.
 *
 * <p>Thread-safe.
 */
public final class DeviceContext extends DeviceLifetime {
  /** What a kernel sees in the place of no tensor. */
  private static final int NOTHING_BYTES = 16;

  private final Vulkan vulkan;
  private final FoundDevice found;
  private final Retirement retirement = new Retirement();
  private volatile @Nullable DeviceCalls calls;
  private @Nullable DeviceBuffer nothing;

  /** Prepares to use a device; creates nothing. */
  public DeviceContext(DeviceId id, Vulkan vulkan, FoundDevice found) {
    this(id, vulkan, found, BackendOptions.none());
  }

  /** As the other constructor, with options of the backend. */
  public DeviceContext(DeviceId id, Vulkan vulkan, FoundDevice found, BackendOptions options) {
    super(id, options);
    this.vulkan = vulkan;
    this.found = found;
  }

  /** What the device says of itself. */
  public DeviceFacts facts() {
    return found.facts();
  }

  /**
   * The calls to use the device with; the first time takes it into use.
   *
   * @throws BackendException when the device is closed or lost, or cannot be used
   */
  public DeviceCalls calls() {
    requireUsable();
    DeviceCalls made = calls;
    return made != null ? made : create();
  }

  private synchronized DeviceCalls create() {
    DeviceCalls made = calls;
    if (made != null) {
      return made;
    }
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
   * The error for a call that failed.
   *
   * @param what the device was to do, such as {@code launch the kernel k}
   */
  public RelaxException failure(VulkanStatusException e, String what) {
    return switch (e.code()) {
      case Vulkan.DEVICE_LOST -> lostBy(e, what);
      case Vulkan.OUT_OF_DEVICE_MEMORY, Vulkan.OUT_OF_HOST_MEMORY, Vulkan.OUT_OF_POOL_MEMORY ->
          outOfMemory(e, what, 0);
      default -> refused(e, what, COMPARE_WITH_LIMITS);
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

  private BackendException lostBy(VulkanStatusException e, String what) {
    return lostBy(e, () -> sentence(e, what) + MAKE_ANOTHER_MACHINE);
  }

  @Override
  protected void releaseDevice() {
    DeviceCalls made = calls;
    if (made != null) {
      calls = null;
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
      LoggerFactory.getLogger(DeviceContext.class)
          .debug("the work of {} did not end well", id(), e);
    }
  }
}
