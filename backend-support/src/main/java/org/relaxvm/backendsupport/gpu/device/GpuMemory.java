package org.relaxvm.backendsupport.gpu.device;

import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;

/** A block of device memory, until it is freed. Thread-safe. */
public abstract class GpuMemory implements DeviceMemory, Owned {
  private final DeviceLifetime lifetime;
  private final long byteSize;
  private volatile boolean freed;

  /** A block of a device. */
  protected GpuMemory(DeviceLifetime lifetime, long byteSize) {
    this.lifetime = lifetime;
    this.byteSize = byteSize;
  }

  @Override
  public final long byteSize() {
    return byteSize;
  }

  /** Whether the block belongs to a device. */
  @SuppressWarnings("ReferenceEquality") // that very device
  final boolean isOf(DeviceLifetime other) {
    return lifetime == other;
  }

  /**
   * Checks that the block has content.
   *
   * @throws BackendException if it was freed
   */
  protected final void requireLive() {
    if (freed) {
      throw freed();
    }
  }

  /** Releases the memory. Called once; never throws. */
  protected abstract void release();

  /**
   * Frees the block.
   *
   * @throws BackendException if it was freed before
   */
  final void free() {
    if (!releaseOnce()) {
      throw freed();
    }
    lifetime.disown(this);
  }

  @Override
  public final void releaseHandles() {
    releaseOnce();
  }

  private synchronized boolean releaseOnce() {
    if (freed) {
      return false;
    }
    freed = true;
    release();
    return true;
  }

  private BackendException freed() {
    return new BackendException(ErrorKind.VALUE, this + " was freed: it has no content");
  }

  @Override
  public final String toString() {
    return "a block of " + byteSize + " bytes on " + lifetime.id();
  }
}
