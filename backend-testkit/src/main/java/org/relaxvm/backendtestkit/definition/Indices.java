package org.relaxvm.backendtestkit.definition;

import java.util.function.Consumer;
import org.relaxvm.api.Shape;

/** Walks over indices. */
public final class Indices {
  private Indices() {}

  /** Calls an action with each index of a shape in row-major order; the array is a new one. */
  public static void forEach(Shape shape, Consumer<long[]> action) {
    long count = shape.elementCount();
    for (long number = 0; number < count; number++) {
      action.accept(indexOf(number, shape));
    }
  }

  /** The index of the element with a number in row-major order. */
  public static long[] indexOf(long number, Shape shape) {
    long[] index = new long[shape.rank()];
    long remaining = number;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      index[axis] = remaining % shape.dim(axis);
      remaining /= shape.dim(axis);
    }
    return index;
  }

  static long numberOf(long[] index, Shape shape) {
    long number = 0;
    for (int axis = 0; axis < index.length; axis++) {
      number = number * shape.dim(axis) + index[axis];
    }
    return number;
  }

  /** The index with one number changed. */
  static long[] with(long[] index, int axis, long value) {
    long[] changed = index.clone();
    changed[axis] = value;
    return changed;
  }

  /** Whether a shape broadcasts to another. */
  static boolean broadcasts(Shape from, Shape to) {
    int missing = to.rank() - from.rank();
    boolean fits = missing >= 0;
    for (int axis = 0; fits && axis < from.rank(); axis++) {
      fits = from.dim(axis) == 1 || from.dim(axis) == to.dim(missing + axis);
    }
    return fits;
  }
}
