package org.relaxvm.api.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.HostMemory;

/**
 * Host memory that is allocated and filled when it is first used: a weight in a file. The garbage
 * collector frees it with this object, to which every tensor over it refers. The limit of the JVM
 * for direct memory does not apply. Thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Why is there memory that is filled at its first use?"
 */
public final class DeferredMemory extends HostMemory {
  private static final class Cleaning {
    private static final Cleaner CLEANER = Cleaner.create(DeferredMemory::newThread);
  }

  private final long byteSize;
  private @Nullable Consumer<? super MemorySegment> fill;
  private @Nullable Arena arena;
  private volatile @Nullable MemorySegment segment;

  /**
   * Memory that is not there yet.
   *
   * @param fill writes a segment of {@code byteSize} bytes, aligned to {@link HostDevice#ALIGNMENT}
   *     and zeroed. Called once; again after an exception, which the user of the memory gets
   */
  public DeferredMemory(long byteSize, Consumer<? super MemorySegment> fill) {
    this.byteSize = byteSize;
    this.fill = fill;
  }

  private static Thread newThread(Runnable work) {
    Thread thread =
        Thread.ofVirtual()
            .name("relaxvm-deferred-memory")
            .inheritInheritableThreadLocals(false)
            .unstarted(work);
    // It outlives the code that first used it, whose class loader it must not keep.
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    return thread;
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  /** Whether the memory is there. */
  public boolean isFilled() {
    return segment != null;
  }

  @Override
  public MemorySegment segment() {
    MemorySegment filled = segment;
    return filled != null ? filled : filled();
  }

  private synchronized MemorySegment filled() {
    MemorySegment filled = segment;
    if (filled != null) {
      return filled;
    }
    Arena own = Arena.ofShared();
    boolean done = false;
    try {
      filled = HostDevice.allocateBlock(own, byteSize, HostDevice.ALIGNMENT);
      Objects.requireNonNull(fill).accept(filled);
      Cleaning.CLEANER.register(this, own::close);
      done = true;
    } finally {
      if (!done) {
        own.close();
      }
    }
    arena = own;
    fill = null;
    segment = filled;
    return filled;
  }

  @Override
  public synchronized @Nullable Arena arena() {
    return arena;
  }
}
