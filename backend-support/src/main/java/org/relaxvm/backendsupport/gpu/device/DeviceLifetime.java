package org.relaxvm.backendsupport.gpu.device;

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
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendsupport.gpu.DeviceErrors;

/**
 * Guards the lifetime of a device. Resources are created and used under {@link #make} and {@link
 * #use}, which exclude {@link #close()}: a native call never sees a device that another thread is
 * closing. Also records that a device is lost, and builds the errors of a device.
 *
 * <p><b>Locks.</b> {@link #make} and {@link #use} may be entered while any other lock is held, and
 * may be nested. They never wait: once a thread closes the device, they fail. Only {@link #close()}
 * waits, for the calls that are already inside, and it holds no lock while it releases resources.
 *
 * <p>Thread-safe.
 */
public abstract class DeviceLifetime {
  /** The remedy for a call that a device refuses. */
  protected static final String COMPARE_WITH_LIMITS =
      "compare with the limits of the device, which 'relaxvm doctor' shows";

  /** The remedy for a device that is lost, where a new virtual machine can use it again. */
  protected static final String MAKE_ANOTHER_MACHINE =
      "\n  what to do: close the virtual machine and make another; if it happens again, look for"
          + " messages of the driver in the system's log";

  private final DeviceId id;
  private final BackendOptions options;
  private final Set<Owned> owned = ConcurrentHashMap.newKeySet();

  /** Read-locked to create or use a resource, write-locked to close the device. */
  private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();

  private volatile @Nullable String lost;
  private volatile boolean closing;
  private volatile boolean closed;

  /** Starts the lifetime of a device; creates no resource. */
  protected DeviceLifetime(DeviceId id, BackendOptions options) {
    this.id = id;
    this.options = options;
  }

  /** The options of the device's backend. */
  public final BackendOptions options() {
    return options;
  }

  /** The name of the device. */
  public final DeviceId id() {
    return id;
  }

  /** Whether an earlier failure means that the device is gone. */
  public final boolean isLost() {
    return lost != null;
  }

  /**
   * Checks that the device is open and not lost.
   *
   * @throws BackendException if the device is closed or lost
   */
  public final void requireUsable() {
    requireOpen();
    if (lost != null) {
      throw lostError(null);
    }
  }

  /**
   * Checks that the device is open. Resources of a lost device may still be released.
   *
   * @throws BackendException if the device is closed
   */
  public final void requireOpen() {
    if (closed || (closing && life.getReadHoldCount() == 0)) {
      throw closedError();
    }
  }

  private BackendException closedError() {
    return DeviceErrors.closed(id);
  }

  /**
   * Creates a resource that {@link #close()} releases unless it is disowned before. The device
   * stays open until the maker returns.
   *
   * @throws BackendException if the device is closed or lost
   */
  public final <T extends Owned> T make(Supplier<? extends T> maker) {
    return use(
        () -> {
          T made = maker.get();
          owned.add(made);
          return made;
        });
  }

  /**
   * Uses resources of the device and returns what the work returns. The device stays open until the
   * work returns.
   *
   * @throws BackendException if the device is closed or lost
   */
  public final <T> T use(Supplier<? extends T> work) {
    requireUsable();
    if (!enter()) {
      throw closedError();
    }
    try {
      return work.get();
    } finally {
      life.readLock().unlock();
    }
  }

  /**
   * Keeps the device open, unless a thread closes it. Does not queue after that thread, which may
   * wait for a thread that waits for a lock of this one.
   */
  private boolean enter() {
    if (!life.readLock().tryLock()) {
      return false;
    }
    if ((closing && life.getReadHoldCount() == 1) || closed) {
      life.readLock().unlock();
      return false;
    }
    return true;
  }

  /** Uses resources of the device, as {@link #use} does. */
  public final void run(Runnable work) {
    requireUsable();
    if (!runIfOpen(work)) {
      throw closedError();
    }
  }

  /**
   * Uses resources of the device, even if it is lost; does nothing if it is closed, when its
   * resources are released already.
   *
   * @return whether the device is open
   */
  public final boolean runIfOpen(Runnable work) {
    if (!enter()) {
      return false;
    }
    try {
      work.run();
      return true;
    } finally {
      life.readLock().unlock();
    }
  }

  /**
   * Adds a resource that {@link #close()} releases. Called within {@link #make} or {@link #use}.
   *
   * @throws IllegalStateException if it is called elsewhere
   */
  public final void own(Owned holder) {
    if (life.getReadHoldCount() == 0) {
      throw new IllegalStateException("a resource of " + id + " was created outside of make()");
    }
    owned.add(holder);
  }

  /** Removes a resource that was released. */
  public final void disown(Owned holder) {
    owned.remove(holder);
  }

  /** The sentence that a failed call's error starts with. */
  protected final String sentence(RuntimeException e, String what) {
    return id + " cannot " + what + ": " + e.getMessage();
  }

  /** The error for a call that found too little memory; of a lost device, that it is lost. */
  protected final RelaxException outOfMemory(RuntimeException e, String what, long byteSize) {
    return lost != null
        ? lostError(e)
        : new DeviceOutOfMemoryException(byteSize, sentence(e, what), e);
  }

  /** The error for a call that the device refused; of a lost device, that it is lost. */
  protected final BackendException refused(RuntimeException e, String what, String remedy) {
    return lost != null
        ? lostError(e)
        : new BackendException(
            ErrorKind.RUNTIME, sentence(e, what) + "\n  what to do: " + remedy, e);
  }

  /**
   * Marks the device as lost, unless it already is.
   *
   * @param description the reason and the remedy, called at most once
   */
  protected final synchronized BackendException lostBy(
      RuntimeException e, Supplier<String> description) {
    if (lost == null) {
      lost = description.get();
    }
    return lostError(e);
  }

  private BackendException lostError(@Nullable RuntimeException e) {
    return new BackendException(
        ErrorKind.RUNTIME, "device " + id + " is lost and cannot be used any more: " + lost, e);
  }

  /** Waits for the work of the device. Called once, when no new work can come; never throws. */
  protected void finishWork() {}

  /** Releases the device itself, after all resources. Called once. */
  protected abstract void releaseDevice();

  /** Waits for current uses, then releases everything. Closing again does nothing. */
  public final void close() {
    close(() -> {});
  }

  /**
   * As {@link #close()}.
   *
   * @param beforeRelease releases what is made of resources; called when the device cannot be used
   *     any more
   */
  final void close(Runnable beforeRelease) {
    closing = true;
    life.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      life.writeLock().unlock();
    }
    try {
      finishWork();
      beforeRelease.run();
    } finally {
      for (Owned holder : owned) {
        holder.releaseHandles();
      }
      owned.clear();
      releaseDevice();
    }
  }
}
