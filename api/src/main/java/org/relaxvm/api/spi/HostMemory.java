package org.relaxvm.api.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Host memory: a segment of the process, readable and writable from any thread. A segment that is
 * read-only (a mapped constant) refuses writes itself.
 */
public class HostMemory implements DeviceMemory {
  private final @Nullable MemorySegment segment;
  private final @Nullable Arena arena;

  /**
   * Memory that is there.
   *
   * @param segment the whole block
   * @param arena closed when the block is freed; null when somebody else owns the memory
   */
  public HostMemory(MemorySegment segment, @Nullable Arena arena) {
    this.segment = segment;
    this.arena = arena;
  }

  /** Memory that somebody else owns. */
  public HostMemory(MemorySegment segment) {
    this(segment, null);
  }

  /** Memory whose segment a subclass makes when it is asked for. */
  protected HostMemory() {
    this.segment = null;
    this.arena = null;
  }

  /** The whole block. */
  public MemorySegment segment() {
    if (segment == null) {
      throw new IllegalStateException(getClass() + " has no segment");
    }
    return segment;
  }

  /** What is closed when the block is freed; null when somebody else owns the memory. */
  public @Nullable Arena arena() {
    return arena;
  }

  @Override
  public long byteSize() {
    return segment().byteSize();
  }
}
