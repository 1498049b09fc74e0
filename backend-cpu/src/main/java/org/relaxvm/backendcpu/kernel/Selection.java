package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;

/** Chooses between elements that are adjacent in memory. Thread-safe. */
public interface Selection {
  /** Whether elements of these memories can be chosen between. */
  boolean fit(MemorySegment a, MemorySegment b, MemorySegment out);

  /**
   * What one thread does.
   *
   * @param bytes of an element: 1, 2, 4 or 8
   * @param length the largest number of elements of a run
   */
  Run run(int bytes, int length);

  /** Chooses in runs. Not thread-safe. */
  interface Run {
    /**
     * {@code out[i] = condition[i] ? a[i] : b[i]}.
     *
     * @param step from one condition to the next, in bytes
     * @return how many elements are done, the first ones
     */
    int apply(
        MemorySegment condition,
        long at,
        long step,
        MemorySegment a,
        long aAt,
        MemorySegment b,
        long bAt,
        MemorySegment out,
        long outAt,
        int count);
  }
}
