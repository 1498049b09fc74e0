package org.relaxvm.backendcpu.indexing;

import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;

/**
 * Pairs of slices: one of a tensor, the data, which indices name, and the one that stands in
 * another tensor where these indices stand.
 *
 * <p>Each group of indices has one for each of the indexed axes of the data. The walk is over
 * groups in row-major order. Immutable and thread-safe.
 */
final class IndexedSlices {
  private static final int LONGEST_RUN = 256;
  private static final long PIECE = 1 << 15;
  private static final int ELEMENTS = 1024;
  private static final int INDICES = 1;

  private final KernelCall call;
  private final IndexMode mode;
  private final Operand data;
  private final int[] indexedAxes;
  private final Operand indices;
  private final long nextIndex;
  private final Codec<long[]> codec;
  private final Sweep groups;
  private final Sweep slice;

  /** Takes pairs of slices. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Called for each group.
     *
     * @param dataAt offset of the slice of the data, in bytes; negative when there is none
     * @param otherAt offset of the other slice, in bytes
     */
    void visit(long dataAt, long otherAt);
  }

  /**
   * Checks the indices, then allows to walk.
   *
   * @param data whose slices are named, with all of its axes
   * @param indexedAxes the axes of the data along which indices count
   * @param groups three operands of one shape, that of the groups: the first index of each group,
   *     the data and the other tensor; the data has strides of 0 along axes that only the indices
   *     have
   * @param nextIndex distance of the indices of a group, in bytes
   * @param slice the shape of a slice in the data and in the other tensor
   * @param longestRun the largest run of elements of a slice at once
   */
  IndexedSlices(
      KernelCall call,
      IndexMode mode,
      Operand data,
      int[] indexedAxes,
      Operand[] groups,
      long nextIndex,
      Operand[] slice,
      int longestRun) {
    this.call = call;
    this.mode = mode;
    this.data = data;
    this.indexedAxes = indexedAxes;
    this.indices = groups[0];
    this.nextIndex = nextIndex;
    this.codec = Codecs.integer(call.tensor(INDICES).dtype());
    this.slice = new Sweep(longestRun, slice);
    long work = Math.max(1, this.slice.runs() * this.slice.runLength());
    this.groups = new Sweep(Math.clamp(PIECE / work, 1, LONGEST_RUN), groups);
    requireIndices();
  }

  /** A slice: operand 0 is the data, operand 1 the other tensor. */
  Sweep slice() {
    return slice;
  }

  /** The number of units of work. */
  long units() {
    return groups.runs();
  }

  /** The number of elements in a unit of work. */
  long unitCost() {
    return groups.runLength() * Math.max(1, slice.runs() * slice.runLength());
  }

  /** Visits the groups of some units. */
  void walk(long from, long to, Visitor visitor) {
    long[] run = new long[groups.runLength()];
    long[] dataAt = new long[groups.runLength()];
    groups.new Walker()
        .walk(
            from,
            to,
            (at, count) -> {
              for (int i = 0; i < count; i++) {
                dataAt[i] = at[1] + i * groups.step(1);
              }
              for (int axis = 0; axis < indexedAxes.length; axis++) {
                long first = at[0] + axis * nextIndex;
                codec.load(indices.memory(), first, groups.step(0), run, 0, count);
                move(dataAt, run, count, indexedAxes[axis]);
              }
              for (int i = 0; i < count; i++) {
                visitor.visit(dataAt[i], at[2] + i * groups.step(2));
              }
            });
  }

  private void move(long[] dataAt, long[] run, int count, int axis) {
    long extent = data.dim(axis);
    long stride = data.stride(axis);
    for (int i = 0; i < count; i++) {
      long place = mode.place(run[i], extent);
      if (place == IndexMode.WRONG) {
        // They were right when the call began: somebody writes them meanwhile.
        throw wrongIndex(axis, run[i], "");
      }
      dataAt[i] = place == IndexMode.NOWHERE || dataAt[i] < 0 ? -1 : dataAt[i] + place * stride;
    }
  }

  private void requireIndices() {
    if (mode == IndexMode.NAN) {
      return;
    }
    Operand all = Operand.of(call.tensor(INDICES));
    Sweep sweep = new Sweep(ELEMENTS, all);
    long[] run = new long[sweep.runLength()];
    long[] number = {0};
    sweep.forEach(
        (at, count) -> {
          codec.load(all.memory(), at[0], sweep.step(0), run, 0, count);
          for (int i = 0; i < count; i++) {
            int axis = indexedAxes[(int) (number[0] % indexedAxes.length)];
            if (mode.place(run[i], data.dim(axis)) == IndexMode.WRONG) {
              throw wrongIndex(axis, run[i], " at " + placeOf(number[0], all.dims()));
            }
            number[0]++;
          }
        });
  }

  private CallException wrongIndex(int axis, long index, String where) {
    long extent = data.dim(axis);
    String range =
        mode == IndexMode.FAST && extent > 0
            ? "indices from " + -extent + " to " + (extent - 1) + " along axis " + axis
            : "empty, as 'x' is along axis " + axis;
    return call.wrong(INDICES, range + " of " + call.tensor(0).shape(), index + where);
  }

  private static Shape placeOf(long number, long[] dims) {
    long[] place = new long[dims.length];
    long rest = number;
    for (int axis = dims.length - 1; axis >= 0; axis--) {
      place[axis] = rest % dims[axis];
      rest /= dims[axis];
    }
    return Shape.of(place);
  }
}
