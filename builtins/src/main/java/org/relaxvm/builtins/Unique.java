package org.relaxvm.builtins;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The distinct elements of a host tensor, or its distinct slices along an axis, in ascending order
 * or in that of their first occurrences. Slices are ordered by their elements in row-major order;
 * NaN is last and equal to itself. The ascending form is NumPy's {@code unique}.
 */
final class Unique {
  // A Java array cannot be longer on every JVM.
  private static final int MAX_SLICES = Integer.MAX_VALUE - 8;

  private final Tensor values;
  private final long[] firstIndices;
  private final long[] inverse;
  private final long[] counts;

  private Unique(Tensor values, long[] firstIndices, long[] inverse, long[] counts) {
    this.values = values;
    this.firstIndices = firstIndices;
    this.inverse = inverse;
    this.counts = counts;
  }

  static Unique ofElements(Tensor x, boolean sorted) {
    Tensor flat = x.toHost().reshape(Shape.of(x.elementCount()));
    return ofSlices(flat, 0, sorted);
  }

  static Unique ofSlices(Tensor x, int axis, boolean sorted) {
    int[] axes = new int[x.shape().rank()];
    axes[0] = axis;
    for (int i = 1; i < axes.length; i++) {
      axes[i] = i <= axis ? i - 1 : i;
    }
    // One row per slice, its elements in row-major order.
    Tensor rows = x.permute(axes).toHost();
    int count = sliceCount(rows);
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Comparator<Integer> byContent = comparator(rows, count);
    // Stable, so the first of equal rows stays the first.
    Arrays.sort(order, byContent);

    long[] inverse = new long[count];
    long[] firstIndices = new long[count];
    long[] counts = new long[count];
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || byContent.compare(order[i - 1], order[i]) != 0) {
        firstIndices[distinct++] = order[i];
      }
      inverse[order[i]] = distinct - 1L;
      counts[distinct - 1]++;
    }
    firstIndices = Arrays.copyOf(firstIndices, distinct);
    counts = Arrays.copyOf(counts, distinct);
    if (!sorted) {
      int[] byOccurrence = ascending(firstIndices);
      firstIndices = permuted(firstIndices, byOccurrence);
      counts = permuted(counts, byOccurrence);
      renumber(inverse, byOccurrence);
    }
    return new Unique(gather(rows, firstIndices, axes), firstIndices, inverse, counts);
  }

  /** The indices of the values, by ascending value. */
  private static int[] ascending(long[] values) {
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> values[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static long[] permuted(long[] values, int[] order) {
    return Arrays.stream(order).mapToLong(i -> values[i]).toArray();
  }

  /** Replaces indices into a sequence by those into the same sequence in another order. */
  private static void renumber(long[] indices, int[] order) {
    long[] positions = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      positions[order[i]] = i;
    }
    Arrays.setAll(indices, i -> positions[(int) indices[i]]);
  }

  private static int sliceCount(Tensor rows) {
    long count = rows.shape().dim(0);
    if (count > MAX_SLICES) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot find the distinct ones among "
              + count
              + " elements or slices: at most "
              + MAX_SLICES
              + " can be compared at once");
    }
    return (int) count;
  }

  Tensor values() {
    return values;
  }

  long[] firstIndices() {
    return firstIndices;
  }

  long[] inverse() {
    return inverse;
  }

  long[] counts() {
    return counts;
  }

  private static Tensor gather(Tensor rows, long[] indices, int[] axes) {
    long[] dims = rows.shape().toArray();
    dims[0] = indices.length;
    Tensor gathered = Tensor.zeros(rows.dtype(), Shape.of(dims));
    for (int i = 0; i < indices.length; i++) {
      rows.slice(0, indices[i], indices[i] + 1).copyInto(gathered.slice(0, i, i + 1));
    }
    int[] back = new int[axes.length];
    for (int i = 0; i < axes.length; i++) {
      back[axes[i]] = i;
    }
    return gathered.permute(back).toHost();
  }

  private static Comparator<Integer> comparator(Tensor rows, int count) {
    int width = count == 0 ? 0 : (int) (rows.elementCount() / count);
    if (rows.dtype().isFloat()) {
      return floatComparator(rows.toDoubleArray(), width);
    }
    long[] values = rows.toLongArray();
    if (rows.dtype().code() == TypeCode.UINT) {
      return (a, b) ->
          Arrays.compareUnsigned(
              values, a * width, (a + 1) * width, values, b * width, (b + 1) * width);
    }
    return (a, b) ->
        Arrays.compare(values, a * width, (a + 1) * width, values, b * width, (b + 1) * width);
  }

  private static Comparator<Integer> floatComparator(double[] values, int width) {
    for (int i = 0; i < values.length; i++) {
      // Comparing doubles tells -0.0 from 0.0 and finds all NaN equal; NumPy does the latter only.
      values[i] = values[i] == 0 ? 0.0 : values[i];
    }
    return (a, b) ->
        Arrays.compare(values, a * width, (a + 1) * width, values, b * width, (b + 1) * width);
  }
}
