package org.relaxvm.backendcuda;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.Owned;

/**
 * Pinned memory of the host in which small copies wait for their stream to come to them. Its parts
 * are filled one after the other; who comes around to a part waits until its copies are done.
 *
 * <p>Used by one stream at a time. Releasing is thread-safe.
 */
final class StagingRing implements Owned {
  /** The most bytes that a copy has. */
  static final long PART_BYTES = 1L << 20;

  private static final int PARTS = 4;

  /** Where copies start, so that none shares a line of the cache with another one. */
  private static final long ALIGNMENT = 64;

  private final Cuda cuda;
  private final Handle.Context holder;
  private final MemorySegment memory;
  private final List<Handle.Event> ends = new ArrayList<>(PARTS);
  private final boolean[] pending = new boolean[PARTS];
  private int part;
  private long used;
  private boolean released;

  private StagingRing(Cuda cuda, Handle.Context holder, MemorySegment memory) {
    this.cuda = cuda;
    this.holder = holder;
    this.memory = memory;
  }

  /** Takes the memory; {@link DeviceContext#close} releases it. */
  static StagingRing of(DeviceContext context) {
    return context.make(() -> allocate(context));
  }

  private static StagingRing allocate(DeviceContext context) {
    Cuda cuda = context.cuda();
    Handle.Context holder = context.handle();
    StagingRing ring =
        new StagingRing(cuda, holder, cuda.allocatePinned(holder, PARTS * PART_BYTES));
    try {
      for (int i = 0; i < PARTS; i++) {
        ring.ends.add(cuda.createEvent(holder, false));
      }
    } catch (CudaStatusException e) {
      ring.releaseHandles();
      throw e;
    }
    return ring;
  }

  /**
   * Reserves memory for bytes that a copy of the stream reads next.
   *
   * @param byteSize up to {@link #PART_BYTES}
   */
  MemorySegment reserve(long byteSize, Handle.Stream stream) {
    if (used + byteSize > PART_BYTES) {
      cuda.record(holder, ends.get(part), stream);
      pending[part] = true;
      part = (part + 1) % PARTS;
      used = 0;
      if (pending[part]) {
        cuda.await(holder, ends.get(part));
        pending[part] = false;
      }
    }
    MemorySegment reserved = memory.asSlice(part * PART_BYTES + used, byteSize);
    used = (used + byteSize + ALIGNMENT - 1) & -ALIGNMENT;
    return reserved;
  }

  /** Its stream has done all copies. */
  void allDone() {
    Arrays.fill(pending, false);
    part = 0;
    used = 0;
  }

  @Override
  public synchronized void releaseHandles() {
    if (!released) {
      released = true;
      ends.forEach(end -> cuda.release(holder, end));
      cuda.freePinned(holder, memory);
    }
  }
}
