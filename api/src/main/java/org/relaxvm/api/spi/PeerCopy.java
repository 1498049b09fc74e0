package org.relaxvm.api.spi;

/**
 * Implemented by a {@link Device} that can copy to some other devices without going through the
 * host. Absent, copies are staged in host memory.
 */
public interface PeerCopy {
  /** Whether {@link #copyTo} works for this target. */
  boolean canCopyTo(Device target);

  /**
   * Copies bytes from this device to memory of another; ordered in both streams. The ranges were
   * checked by the caller.
   */
  void copyTo(
      DeviceMemory source,
      long sourceOffset,
      Stream sourceStream,
      DeviceMemory target,
      long targetOffset,
      Stream targetStream,
      long byteSize);
}
