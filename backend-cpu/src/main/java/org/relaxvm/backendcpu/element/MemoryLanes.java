package org.relaxvm.backendcpu.element;

import java.lang.foreign.MemorySegment;

/**
 * Arithmetic on elements where they are adjacent in memory, without arrays in between. Each method
 * may leave elements over, down to all of them.
 *
 * <p>Immutable and thread-safe. Offsets are in bytes. The result may lie where an operand lies, but
 * overlaps none of them in part.
 */
public interface MemoryLanes {
  /**
   * {@code out[i] = op(x[i])}.
   *
   * @return how many elements are done, the first ones
   */
  int unary(UnaryOp op, MemorySegment x, long xAt, MemorySegment out, long outAt, int count);

  /**
   * {@code out[i] = a[i] op b[i]}.
   *
   * @return how many elements are done, the first ones
   */
  int binary(
      BinaryOp op,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int count);

  /**
   * {@code out[i] = a[i] op b}.
   *
   * @param bAt where the one element is that is the right operand of all
   * @return how many elements are done, the first ones
   */
  int binaryWithOne(
      BinaryOp op,
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment out,
      long outAt,
      int count);
}
