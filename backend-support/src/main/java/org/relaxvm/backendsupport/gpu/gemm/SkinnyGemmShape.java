package org.relaxvm.backendsupport.gpu.gemm;

import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * How a work-group computes some columns of a skinny GEMM. Its work-items are adjacent along the
 * columns, and what is left of them shares the depth.
 *
 * @param rows of the GEMM, or the most that it may have
 * @param alongDepth whether a work-item's vectors lie along the depth; else along the columns
 * @param beside work-items along the columns
 * @param each columns of a work-item
 * @param items of a work-group, a power of two
 * @param run of the depth that a work-item takes at a time
 */
record SkinnyGemmShape(int rows, boolean alongDepth, int beside, int each, int items, int run) {
  private static final int MOST_ITEMS = 256;

  /** The least that is worth a reduction by a work-group of its own. */
  private static final int SUBGROUP = 32;

  /** Where the number of columns is not known. */
  private static final int USUAL_ITEMS = 128;

  /** Work-items of a unit that keep its memory busy. */
  private static final long BUSY = 1024;

  private static final int MOST_EACH = 4;
  private static final int MAX_ACCUMULATORS = 32;
  private static final int MOST_LANES = 8;

  /** Of a line of weights that are adjacent: less is slower to load. */
  private static final int LEAST_LINE_BYTES = 64;

  private static final int USUAL_LINE_BYTES = 128;
  private static final int MOST_BESIDE = 32;

  /** Bytes of the accumulators of a work-item. */
  private static final long SUM_BYTES = Float.BYTES;

  /** Parts that share the depth. */
  int parts() {
    return items / beside;
  }

  /** Columns of a work-group. */
  int columns() {
    return beside * each;
  }

  /** Accumulators of a work-item. */
  int accumulators() {
    return rows * each;
  }

  private long bytes() {
    return accumulators() * items * SUM_BYTES;
  }

  /** For weights that are neighbours along the depth; empty where the limits leave none. */
  static Optional<SkinnyGemmShape> alongDepth(
      int rows, PrimExpr columns, PrimExpr depth, int elementBytes, GpuLimits limits) {
    int most = limits.workGroupSize(MOST_ITEMS);
    int run = Math.min(lanes(elementBytes, limits), most);
    int each = rows <= MOST_EACH ? MOST_EACH : MOST_EACH / 2;
    while (each > 1 && known(columns) / each < limits.computeUnits()) {
      each /= 2;
    }
    int items = USUAL_ITEMS;
    if (columns instanceof IntImm) {
      long wanted = limits.computeUnits() * BUSY / Math.max(1, known(columns) / each);
      items = Integer.highestOneBit(Math.clamp(wanted, SUBGROUP, MOST_ITEMS));
    }
    items = Math.min(items, most);
    while (items > SUBGROUP && (long) items * run > known(depth)) {
      items /= 2;
    }
    return fitting(new SkinnyGemmShape(rows, true, 1, each, items, run), limits);
  }

  /** For weights that are neighbours along the columns; empty where the limits leave none. */
  static Optional<SkinnyGemmShape> alongColumns(
      int rows, PrimExpr columns, PrimExpr depth, int elementBytes, GpuLimits limits) {
    int items = limits.workGroupSize(MOST_ITEMS);
    int each = lanes(elementBytes, limits);
    while (rows * each > MAX_ACCUMULATORS) {
      each /= 2;
    }
    int beside = Math.min(MOST_BESIDE, items / 2);
    if (beside < 1) {
      return Optional.empty();
    }
    while (beside > 1 && beside * each * elementBytes > USUAL_LINE_BYTES) {
      beside /= 2;
    }
    while (beside > 1
        && ((beside * each * elementBytes > LEAST_LINE_BYTES
                && known(columns) / (beside * each) < limits.computeUnits())
            || (long) beside / 2 * each >= known(columns))) {
      beside /= 2;
    }
    int run = Math.max(MOST_EACH, lanes(elementBytes, limits));
    while (items > SUBGROUP && items / beside > 2 && (long) items / beside * run > known(depth)) {
      items /= 2;
    }
    run = Math.min(run, items / beside);
    return fitting(new SkinnyGemmShape(rows, false, beside, each, items, run), limits);
  }

  private static int lanes(int elementBytes, GpuLimits limits) {
    return Math.clamp(limits.vectorBytes() / elementBytes, 1, MOST_LANES);
  }

  /** The same with as many work-items as shared memory has room for the accumulators of. */
  private static Optional<SkinnyGemmShape> fitting(SkinnyGemmShape shape, GpuLimits limits) {
    SkinnyGemmShape smaller = shape;
    while (smaller.bytes() > limits.localMemoryBytes()) {
      int items = smaller.items / 2;
      if (items / smaller.beside < Math.max(2, smaller.run)) {
        return Optional.empty();
      }
      smaller =
          new SkinnyGemmShape(
              smaller.rows, smaller.alongDepth, smaller.beside, smaller.each, items, smaller.run);
    }
    return Optional.of(smaller);
  }

  /** An extent; one that is not known is taken to be large. */
  private static long known(PrimExpr extent) {
    return extent instanceof IntImm constant ? constant.value() : Long.MAX_VALUE;
  }
}
