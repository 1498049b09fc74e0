package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/**
 * An allocation that the device, the host or the allocator's budget refused. The allocator stays
 * usable: what was free before is still free.
 */
public class DeviceOutOfMemoryException extends RelaxException {
  private static final long serialVersionUID = 1L;

  private final long requestedBytes;

  /**
   * Creates the error.
   *
   * @param requestedBytes the size that was asked for, in bytes
   * @param summary says how much was asked for, how much is in use, and the limit
   */
  public DeviceOutOfMemoryException(
      long requestedBytes, String summary, @Nullable Throwable cause) {
    super(ErrorKind.MEMORY, summary, cause);
    this.requestedBytes = requestedBytes;
  }

  /** The size that was asked for, in bytes. */
  public long requestedBytes() {
    return requestedBytes;
  }
}
