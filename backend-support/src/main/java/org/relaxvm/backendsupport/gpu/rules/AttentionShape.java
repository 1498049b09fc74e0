package org.relaxvm.backendsupport.gpu.rules;

import java.util.List;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Attention;
import org.relaxvm.tir.expr.IntImm;

/**
 * How a work-group shares attention among its work-items, which lie in a square: rows of queries
 * along one side, keys and then columns of values along the other.
 *
 * @param side work-items along each side, a power of two
 * @param rowsEach rows of each work-item
 * @param keysEach keys of each work-item in a block of them
 * @param columnsEach columns of values of each work-item
 */
record AttentionShape(int side, int rowsEach, int keysEach, int columnsEach) {
  /** More accumulators than so many do not stay in the registers of a work-item. */
  private static final int MAX_ACCUMULATORS = 64;

  /** The largest that the limits leave; empty where there is none. */
  static Optional<AttentionShape> of(Attention parts, GpuLimits limits) {
    if (!(WorkGroups.extent(parts.columns()) instanceof IntImm columns)
        || columns.value() < 1
        || columns.value() > (long) TileShape.SIDE * MAX_ACCUMULATORS) {
      return Optional.empty();
    }
    int bytes = GpuLimits.localBytes(parts.product().dtype());
    for (int side = TileShape.SIDE; side > 1; side /= 2) {
      int columnsEach = (int) ((columns.value() + side - 1) / side);
      for (int rows = TileShape.each(parts.rows(), side); rows > 0; rows /= 2) {
        for (int keys = TileShape.each(List.of(parts.keys()), side); keys > 0; keys /= 2) {
          AttentionShape shape = new AttentionShape(side, rows, keys, columnsEach);
          if (side * side <= limits.maxWorkGroupSize()
              && rows * columnsEach <= MAX_ACCUMULATORS
              && shape.elements() * bytes <= limits.localMemoryBytes()) {
            return Optional.of(shape);
          }
        }
      }
    }
    return Optional.empty();
  }

  int items() {
    return side * side;
  }

  int rows() {
    return side * rowsEach;
  }

  int keys() {
    return side * keysEach;
  }

  int columns() {
    return side * columnsEach;
  }

  /** Of the slices in which operands are brought; a divisor of the keys. */
  int depth() {
    return Math.min(TileShape.DEPTH, keys());
  }

  /**
   * What the work-group keeps: two slices, weights, a part of each row for each column, three
   * values.
   */
  private long elements() {
    return (long) depth() * (rows() + Math.max(keys(), columns()))
        + (long) rows() * (keys() + 1)
        + (long) rows() * (side + 3);
  }
}
