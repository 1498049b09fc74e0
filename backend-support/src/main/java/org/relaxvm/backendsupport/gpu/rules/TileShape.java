package org.relaxvm.backendsupport.gpu.rules;

import java.util.List;
import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Contraction;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.stmt.For;

/**
 * How a tile of a sum of products is shared among the work-items of a work-group.
 *
 * @param rowItems work-items adjacent along the rows
 * @param columnItems the same along the columns
 * @param rowsEach rows of each work-item
 * @param columnsEach columns of each work-item
 * @param depth of a slice of the operands
 */
record TileShape(int rowItems, int columnItems, int rowsEach, int columnsEach, int depth) {
  /** Work-items along a side, where the device allows so many. */
  static final int SIDE = 16;

  /** Of a slice of operands. */
  static final int DEPTH = 16;

  private static final int MOST_EACH = 4;

  /** The largest tile that the limits and the extents leave; empty where there is none. */
  static Optional<TileShape> of(Contraction sum, GpuLimits limits) {
    int bytes = GpuLimits.localBytes(sum.output().dtype());
    int side = SIDE;
    while (side > 2
        && (side * side > limits.maxWorkGroupSize()
            || (few(sum.rows(), side) && few(sum.columns(), side)))) {
      side /= 2;
    }
    int rowsEach = each(sum.rows(), side);
    int columnsEach = each(sum.columns(), side);
    TileShape shape = new TileShape(side, side, rowsEach, columnsEach, Math.max(DEPTH, side));
    boolean fits =
        side * side <= limits.maxWorkGroupSize()
            && (long) (shape.rows() + shape.columns()) * shape.depth() * bytes
                <= limits.localMemoryBytes();
    return fits ? Optional.of(shape) : Optional.empty();
  }

  private static boolean few(List<For> loops, int side) {
    return WorkGroups.extent(loops) instanceof IntImm known && known.value() <= side / 2;
  }

  /** As many for each work-item as it takes to cover the extent, a power of two. */
  static int each(List<For> loops, int side) {
    int each = MOST_EACH;
    while (each > 1
        && WorkGroups.extent(loops) instanceof IntImm known
        && known.value() <= (long) side * each / 2) {
      each /= 2;
    }
    return each;
  }

  int items() {
    return rowItems * columnItems;
  }

  int rows() {
    return rowItems * rowsEach;
  }

  int columns() {
    return columnItems * columnsEach;
  }
}
