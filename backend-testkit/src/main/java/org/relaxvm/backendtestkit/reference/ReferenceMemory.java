package org.relaxvm.backendtestkit.reference;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;

/** A block: bytes that only the device reads. */
final class ReferenceMemory implements DeviceMemory {
  private final ReferenceDevice owner;
  private final byte[] bytes;
  private volatile boolean freed;

  ReferenceMemory(ReferenceDevice owner, byte[] bytes) {
    this.owner = owner;
    this.bytes = bytes;
  }

  @Override
  public long byteSize() {
    return bytes.length;
  }

  /** The content, for the device that owns the block, as long as it is not freed. */
  MemorySegment content(ReferenceDevice device) {
    if (!owner.equals(device)) {
      throw new BackendException(
          ErrorKind.VALUE, "a block of " + owner + " was given to " + device);
    }
    if (freed) {
      throw new BackendException(
          ErrorKind.VALUE, "a block of " + bytes.length + " bytes on " + owner + " was freed");
    }
    return MemorySegment.ofArray(bytes);
  }

  void markFreed() {
    freed = true;
  }
}
