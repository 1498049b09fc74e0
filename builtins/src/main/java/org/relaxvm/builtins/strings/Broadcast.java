package org.relaxvm.builtins.strings;

import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The elements of two operands that meet when their shapes are aligned at the last axis and extents
 * of 1 are repeated. Immutable.
 */
public final class Broadcast {
  private final Shape result;
  private final long[] first;
  private final long[] second;

  private Broadcast(Shape result, long[] first, long[] second) {
    this.result = result;
    this.first = first;
    this.second = second;
  }

  /**
   * The broadcast of two shapes.
   *
   * @throws CallException a {@code ValueError} when they do not fit
   */
  public static Broadcast of(Shape a, Shape b) {
    int rank = Math.max(a.rank(), b.rank());
    long[] dims = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      long x = extent(a, axis, rank);
      long y = extent(b, axis, rank);
      if (x != y && x != 1 && y != 1) {
        throw new CallException(
            ErrorKind.VALUE, "the shapes " + a + " and " + b + " do not broadcast");
      }
      dims[axis] = x == 1 ? y : x;
    }
    Shape result = Shape.of(dims);
    return new Broadcast(result, steps(a, rank), steps(b, rank));
  }

  private static long extent(Shape shape, int axis, int rank) {
    int own = axis - (rank - shape.rank());
    return own < 0 ? 1 : shape.dim(own);
  }

  /** How far an operand goes with each axis of the result. */
  private static long[] steps(Shape shape, int rank) {
    long[] steps = new long[rank];
    long step = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
      long extent = extent(shape, axis, rank);
      steps[axis] = extent == 1 ? 0 : step;
      step *= extent;
    }
    return steps;
  }

  /** The shape of the result. */
  public Shape shape() {
    return result;
  }

  /** The element of the first operand for an element of the result. */
  public int first(long element) {
    return position(first, element);
  }

  /** The element of the second operand for an element of the result. */
  public int second(long element) {
    return position(second, element);
  }

  private int position(long[] steps, long element) {
    long left = element;
    long position = 0;
    for (int axis = steps.length - 1; axis >= 0; axis--) {
      position += left % result.dim(axis) * steps[axis];
      left /= result.dim(axis);
    }
    return (int) position;
  }
}
