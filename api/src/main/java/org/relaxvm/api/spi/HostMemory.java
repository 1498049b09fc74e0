package org.relaxvm.api.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Host memory: a segment of the process, readable and writable from any thread. A segment that is
 * read-only (a mapped constant) refuses writes itself.
 *
 * @param segment the whole block
 * @param arena closed when the block is freed; null when somebody else owns the memory
 */
public record HostMemory(MemorySegment segment, @Nullable Arena arena) implements DeviceMemory {
  /** Memory that somebody else owns. */
  public HostMemory(MemorySegment segment) {
    this(segment, null);
  }

  @Override
  public long byteSize() {
    return segment.byteSize();
  }
}
