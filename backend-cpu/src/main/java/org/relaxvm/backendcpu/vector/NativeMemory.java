package org.relaxvm.backendcpu.vector;

import java.lang.foreign.MemorySegment;

/**
 * Tells the JIT compiler that segments are native memory. Where it knows, a store changes no Java
 * object, and what a segment checks is checked once for a loop; otherwise at each access. It does
 * not know by itself once a process has used segments of arrays.
 */
public final class NativeMemory {
  private static final Class<?> CLASS = MemorySegment.NULL.getClass();

  private NativeMemory() {}

  /** Whether a segment is native memory, and no mapped file. */
  public static boolean holds(MemorySegment segment) {
    return segment.getClass() == CLASS;
  }

  /** To be called by each loop over segments. */
  public static void require(MemorySegment x, MemorySegment out) {
    if (x.getClass() != CLASS || out.getClass() != CLASS) {
      throw new IllegalArgumentException("expected native memory, but got " + x + " and " + out);
    }
  }

  /** To be called by each loop over segments. */
  public static void require(MemorySegment a, MemorySegment b, MemorySegment out) {
    require(a, out);
    require(b, out);
  }

  /**
   * To be called by each loop over segments that may also be mapped files.
   *
   * @param isNative what the caller has asked the segments: the compiler learns their class from
   *     the question, in the method that asks
   */
  static void require(boolean isNative) {
    if (!isNative) {
      throw new IllegalArgumentException("expected native memory, but got a Java array");
    }
  }
}
