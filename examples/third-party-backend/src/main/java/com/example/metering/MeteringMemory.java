package com.example.metering;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;

/** A block: bytes that only its device reads, until they are freed. */
final class MeteringMemory implements DeviceMemory {
  final Device owner;
  private final MemorySegment bytes;
  private boolean freed;

  MeteringMemory(Device owner, int byteSize) {
    this.owner = owner;
    this.bytes = MemorySegment.ofArray(new byte[byteSize]);
  }

  @Override
  public long byteSize() {
    return bytes.byteSize();
  }

  MemorySegment bytes() {
    return bytes;
  }

  synchronized boolean isFreed() {
    return freed;
  }

  /** Whether this is the first time. */
  synchronized boolean free() {
    boolean first = !freed;
    freed = true;
    return first;
  }
}
