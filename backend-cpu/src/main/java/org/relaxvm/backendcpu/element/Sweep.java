package org.relaxvm.backendcpu.element;

import java.util.Arrays;

/**
 * A walk over the elements of several operands of one shape, in runs along the last axis. Axes that
 * follow each other in every operand are merged, so that compact tensors are one long run.
 *
 * <p>Runs are numbered: workers take ranges of numbers. Immutable and thread-safe; each worker
 * makes its own {@link Walker}.
 */
public final class Sweep {
  private final int operands;
  private final long[] bases;
  private final long[] dims;
  private final long[][] strides;
  private final int runLength;
  private final long runsPerRow;
  private final long runs;

  /** Works on one run. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Called for each run.
     *
     * @param offsets of the first element in each operand, in bytes; valid during the call
     * @param count number of elements
     */
    void visit(long[] offsets, int count);
  }

  /**
   * A walk over operands of equal shapes.
   *
   * @param longestRun the largest count that a visitor gets
   */
  public Sweep(int longestRun, Operand... operands) {
    this.operands = operands.length;
    this.bases = new long[operands.length];
    long[][] merged = new long[operands.length][];
    for (int i = 0; i < operands.length; i++) {
      bases[i] = operands[i].offset();
      merged[i] = Arrays.copyOf(operands[i].strides(), Math.max(1, operands[i].rank()));
    }
    int given = operands[0].rank();
    long[] extents = Arrays.copyOf(operands[0].dims(), Math.max(1, given));
    if (given == 0) {
      extents[0] = 1;
    }
    int rank = merge(extents, merged);
    this.dims = Arrays.copyOf(extents, rank);
    this.strides = merged;
    long inner = dims[rank - 1];
    this.runLength = (int) Math.min(inner, longestRun);
    this.runsPerRow = inner == 0 ? 0 : (inner + longestRun - 1) / longestRun;
    long count = runsPerRow;
    for (int axis = 0; axis < rank - 1; axis++) {
      count *= dims[axis];
    }
    this.runs = count;
  }

  /** The number of runs; 0 when a dimension is 0. */
  public long runs() {
    return runs;
  }

  /** The largest count that a visitor gets. */
  public int runLength() {
    return runLength;
  }

  /** The distance of neighbours in a run of an operand, in bytes. */
  public long step(int operand) {
    return strides[operand][dims.length - 1];
  }

  /**
   * Where an element of a run is.
   *
   * @param offsets as a {@link Visitor} gets them
   * @param index of the element in the run
   */
  public long place(int operand, long[] offsets, int index) {
    return offsets[operand] + index * step(operand);
  }

  /** The number of axes that are left after merging, at least one. */
  public int rank() {
    return dims.length;
  }

  /** The extent of a merged axis. */
  public long dim(int axis) {
    return dims[axis];
  }

  /** The distance of an operand's neighbours along a merged axis, in bytes. */
  public long stride(int operand, int axis) {
    return strides[operand][axis];
  }

  /** Visits all runs in order; for short walks in one thread. */
  public void forEach(Visitor visitor) {
    new Walker().walk(0, runs, visitor);
  }

  /** Merges neighbouring axes in place; returns how many are left, at least one. */
  private static int merge(long[] dims, long[][] strides) {
    int rank = 0;
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] == 1) {
        continue;
      }
      if (rank > 0 && follows(strides, rank - 1, axis, dims[axis])) {
        dims[rank - 1] *= dims[axis];
        copyAxis(strides, axis, rank - 1);
      } else {
        dims[rank] = dims[axis];
        copyAxis(strides, axis, rank++);
      }
    }
    if (rank == 0) {
      dims[0] = 1;
    }
    return Math.max(1, rank);
  }

  private static boolean follows(long[][] strides, int outer, int inner, long innerDim) {
    for (long[] operand : strides) {
      if (operand[outer] != operand[inner] * innerDim) {
        return false;
      }
    }
    return true;
  }

  private static void copyAxis(long[][] strides, int from, int to) {
    for (long[] operand : strides) {
      operand[to] = operand[from];
    }
  }

  /** One worker's place in the walk; reusable, not thread-safe. */
  public final class Walker {
    private final long[] index = new long[dims.length];
    private final long[] rowOffsets = new long[operands];
    private final long[] offsets = new long[operands];
    private final long[] origin = bases.clone();

    /** Moves an operand: its first element is now at this offset in bytes. */
    public void origin(int operand, long offset) {
      origin[operand] = offset;
    }

    /** Visits the runs from {@code from} to {@code to}, the latter excluded. */
    public void walk(long from, long to, Visitor visitor) {
      if (from >= to) {
        return;
      }
      int inner = dims.length - 1;
      long run = from % runsPerRow;
      moveToRow(from / runsPerRow);
      for (long number = from; number < to; number++) {
        long start = run * runLength;
        for (int i = 0; i < operands; i++) {
          offsets[i] = rowOffsets[i] + start * strides[i][inner];
        }
        visitor.visit(offsets, (int) Math.min(runLength, dims[inner] - start));
        if (++run == runsPerRow) {
          run = 0;
          nextRow();
        }
      }
    }

    private void moveToRow(long row) {
      System.arraycopy(origin, 0, rowOffsets, 0, operands);
      long left = row;
      for (int axis = dims.length - 2; axis >= 0; axis--) {
        index[axis] = left % dims[axis];
        left /= dims[axis];
        for (int i = 0; i < operands; i++) {
          rowOffsets[i] += index[axis] * strides[i][axis];
        }
      }
    }

    private void nextRow() {
      for (int axis = dims.length - 2; axis >= 0; axis--) {
        for (int i = 0; i < operands; i++) {
          rowOffsets[i] += strides[i][axis];
        }
        if (++index[axis] < dims[axis]) {
          return;
        }
        for (int i = 0; i < operands; i++) {
          rowOffsets[i] -= dims[axis] * strides[i][axis];
        }
        index[axis] = 0;
      }
    }
  }
}
