package org.relaxvm.backendcpu.vector.gemm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * Memory of one thread for one product at a time: grows to what was needed, which a plan bounds.
 *
 * @param <A> the array type
 */
final class Scratch<A> implements RowFinish.Lines<A> {
  private static final int ALIGNMENT = 64;

  private final Tile<A> tile;
  private final A sums;
  private A rows;
  private A panels;
  private A line;
  private A extra;
  private int rowsLength;
  private int panelsLength;
  private int lineLength;
  private MemorySegment stage = MemorySegment.NULL;

  Scratch(Tile<A> tile) {
    this.tile = tile;
    sums = tile.array(tile.rows() * tile.columns());
    rows = tile.array(0);
    panels = tile.array(0);
    line = tile.array(0);
    extra = tile.array(0);
  }

  /** The sums of a tile. */
  A sums() {
    return sums;
  }

  /** A block of rows of the left matrix. */
  A rows(int length) {
    if (length > rowsLength) {
      rows = tile.array(length);
      rowsLength = length;
    }
    return rows;
  }

  /** A block of panels of the right matrix. */
  A panels(int length) {
    if (length > panelsLength) {
      panels = tile.array(length);
      panelsLength = length;
    }
    return panels;
  }

  /** A row of the output. */
  @Override
  public A line(int length) {
    if (length > lineLength) {
      line = tile.array(length);
      extra = tile.array(length);
      lineLength = length;
    }
    return line;
  }

  /** What is added to that row, as long as it. */
  @Override
  public A extra() {
    return extra;
  }

  /** Native memory for sums that cannot wait in the output. */
  MemorySegment stage(long bytes) {
    if (bytes > stage.byteSize()) {
      // Freed with the last reference: scratch memory has no owner who would know its end.
      stage = Arena.ofAuto().allocate(bytes, ALIGNMENT);
    }
    return stage;
  }
}
