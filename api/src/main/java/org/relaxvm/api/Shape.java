package org.relaxvm.api;

import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A list of 64-bit extents: the shape of a tensor, or a shape value of a program. Rank 0 is a
 * scalar; an extent of 0 is legal. A shape value may hold any number; as the shape of a tensor only
 * non-negative extents are accepted.
 *
 * <p>Immutable and thread-safe.
 */
public final class Shape {
  private static final Shape SCALAR = new Shape(new long[0]);

  private final long[] dims;

  // The element count and 1, once it was asked for and if it is small; 0 before. Threads may race:
  // all find the same.
  private int knownCount;

  private Shape(long[] dims) {
    this.dims = dims;
  }

  /** The shape with the given extents, which are copied. */
  public static Shape of(long... dims) {
    return dims.length == 0 ? SCALAR : new Shape(dims.clone());
  }

  /**
   * The shape over an array that the caller gives up: it must never be written again. For engines
   * and builtins that make shapes at every instruction.
   */
  public static Shape ofOwned(long[] dims) {
    return new Shape(dims);
  }

  /** The shape of a scalar: rank 0, one element. */
  public static Shape scalar() {
    return SCALAR;
  }

  /** The number of extents. */
  public int rank() {
    return dims.length;
  }

  /** The extent of axis {@code axis}, counted from 0. */
  public long dim(int axis) {
    return dims[axis];
  }

  /**
   * The product of the extents; 1 for rank 0.
   *
   * @throws CallException a {@code ValueError} when an extent is negative or the product does not
   *     fit 63 bits
   */
  public long elementCount() {
    int known = knownCount;
    if (known > 0) {
      return known - 1L;
    }
    long count = 1;
    for (long dim : dims) {
      // Neither negative nor larger than 31 bits, and so is their product.
      if ((dim | count) >>> 31 != 0) {
        return computeElementCount();
      }
      count *= dim;
    }
    if (count < Integer.MAX_VALUE) {
      knownCount = (int) count + 1;
    }
    return count;
  }

  private long computeElementCount() {
    long count = 1;
    boolean empty = false;
    for (long dim : dims) {
      if (dim < 0) {
        throw new CallException(
            ErrorKind.VALUE, "shape " + this + " has a negative extent and so no element count");
      }
      empty |= dim == 0;
    }
    if (empty) {
      return 0;
    }
    for (long dim : dims) {
      if (Math.multiplyHigh(count, dim) != 0 || count * dim < 0) {
        throw new CallException(
            ErrorKind.VALUE, "the element count of shape " + this + " does not fit 63 bits");
      }
      count *= dim;
    }
    return count;
  }

  /** A copy of the extents. */
  public long[] toArray() {
    return dims.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && Arrays.equals(dims, shape.dims);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims);
  }

  /** The extents in brackets, such as {@code [2, 3]}. */
  @Override
  public String toString() {
    return Arrays.toString(dims);
  }
}
