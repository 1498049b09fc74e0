package org.relaxvm.backendcpu.element;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves elements of one dtype between memory and arrays in which they are computed: {@code float[]}
 * for floats of up to 32 bits, {@code double[]} for float64, {@code long[]} for integers and bools.
 *
 * <p>Immutable and thread-safe.
 *
 * @param <A> the array type
 */
public abstract class Codec<A> {
  /** Arithmetic on the arrays. */
  public abstract Lanes<A> lanes();

  /** Arithmetic on the elements where they lie; null where there is none. */
  public @Nullable MemoryLanes memory() {
    return null;
  }

  /** Bytes from one element to the next in a compact tensor. */
  public abstract int bytes();

  /**
   * Reads elements.
   *
   * @param at offset of the first element, in bytes
   * @param step distance of the elements, in bytes; may be 0 or negative
   * @param into filled from {@code from} to {@code to}, the latter excluded
   */
  public abstract void load(MemorySegment memory, long at, long step, A into, int from, int to);

  /** Writes elements; integers are narrowed to their low bits. Parameters as for {@link #load}. */
  public abstract void store(A values, int from, int to, MemorySegment memory, long at, long step);

  /** Brings results of integer arithmetic into the range of the dtype, by their low bits. */
  public void wrap(A values, int count) {}

  /** The smallest value of the dtype, to start a maximum with. */
  public abstract void fillLowest(A into, int from, int to);

  /** The largest value of the dtype, to start a minimum with. */
  public abstract void fillHighest(A into, int from, int to);
}
