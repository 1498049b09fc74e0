package org.relaxvm.backendcpu.vector.gemm;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.MatmulKernel;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.vector.ByteRuns;
import org.relaxvm.backendcpu.vector.gemm.tile.FloatTile;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * A product of integers of 8 bits by the tiles of floats: a float holds every integer up to 2^24,
 * so that sums of {@value #DEPTH} products are exact. They are added as integers of 32 bits.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why are 8-bit integers multiplied as floats?"
 */
final class IntegerGemm {
  /** Products of two unsigned bytes, 255 * 255 each, whose sum a float holds. */
  private static final int DEPTH = 256;

  /** Of a unit: its rows, panels and sums lie in the second cache. */
  private static final int UNIT_ROWS = 192;

  private static final int UNIT_COLUMNS = 256;
  private static final int LEAST_COLUMNS = 64;

  /** Rows for which the right matrix is read once, as it lies in memory, and the width of units. */
  private static final int MOST_SWEPT = 4;

  private static final int SWEPT_COLUMNS = 2048;

  /** Units per thread, so that a slow one does not keep the others waiting. */
  private static final int UNITS_PER_THREAD = 2;

  /** Products that take about as long as waking a thread. */
  private static final long SMALL = 1 << 20;

  private final FloatTile tile;
  private final MatrixProduct product;
  private final boolean leftSigned;
  private final boolean rightSigned;
  private final ScratchPool<float[]> pool;
  private final int axis;
  private final int unitRows;
  private final int unitColumns;
  private final long gridRows;
  private final long gridColumns;
  private final boolean swept;

  private IntegerGemm(
      FloatTile tile,
      MatrixProduct product,
      boolean leftSigned,
      boolean rightSigned,
      ScratchPool<float[]> pool) {
    this.tile = tile;
    this.product = product;
    this.leftSigned = leftSigned;
    this.rightSigned = rightSigned;
    this.pool = pool;
    axis = product.rowAxis();
    unitRows = (int) Math.min(product.m(), UNIT_ROWS);
    gridRows = Math.ceilDiv(product.m(), (long) unitRows);
    WorkerPool workers = product.workers();
    long wanted = workers == null ? 1 : (long) workers.parallelism() * UNITS_PER_THREAD;
    swept =
        ByteSweeps.areFast() && product.m() <= MOST_SWEPT && product.right().stride(axis + 1) == 1;
    int columns = swept ? SWEPT_COLUMNS : UNIT_COLUMNS;
    while (columns > LEAST_COLUMNS
        && product.batches() * gridRows * Math.ceilDiv(product.n(), (long) columns) < wanted) {
      columns /= 2;
    }
    unitColumns = columns;
    gridColumns = Math.ceilDiv(product.n(), (long) unitColumns);
  }

  /** {@code relaxvm.matmul_integer}. */
  static void run(KernelCall call, FloatTile tile, ScratchPool<float[]> pool) {
    MatrixProduct product = MatrixProduct.ofIntegers(call).flat();
    if (product.k() == 0 || product.m() == 0 || product.n() == 0 || product.batches() == 0) {
      MatmulKernel.runIntegers(call);
      return;
    }
    boolean leftSigned = call.tensor(0).dtype().equals(DType.INT8);
    boolean rightSigned = call.tensor(1).dtype().equals(DType.INT8);
    new IntegerGemm(tile, product, leftSigned, rightSigned, pool).run();
  }

  private void run() {
    long units = product.batches() * gridRows * gridColumns;
    WorkerPool workers = product.workers();
    if (workers == null || units == 1) {
      run(0, units);
    } else {
      long cost = (long) unitRows * unitColumns * product.k();
      workers.parallelFor(0, units, Math.max(1, SMALL / cost), this::run);
    }
  }

  private void run(long from, long to) {
    Scratch<float[]> scratch = pool.take();
    int[] sums = new int[unitRows * (int) Math.min(unitColumns, product.n())];
    for (long unit = from; unit < to; unit++) {
      long batch = unit / (gridRows * gridColumns);
      long row = unit / gridColumns % gridRows * unitRows;
      long column = unit % gridColumns * unitColumns;
      compute(scratch, sums, batch, row, column);
    }
    pool.give(scratch);
  }

  private void compute(Scratch<float[]> scratch, int[] sums, long batch, long row, long column) {
    int height = (int) Math.min(unitRows, product.m() - row);
    int width = (int) Math.min(unitColumns, product.n() - column);
    for (long start = 0; start < product.k(); start += DEPTH) {
      int depth = (int) Math.min(DEPTH, product.k() - start);
      float[] rows = copyRows(scratch, batch, row, height, start, depth);
      if (swept) {
        sweep(scratch, rows, batch, column, height, width, start, depth, sums);
        continue;
      }
      float[] panels = pack(scratch, batch, column, width, start, depth);
      multiply(scratch.sums(), rows, height, panels, width, depth, sums, start > 0);
    }
    Operand out = product.out();
    long step = out.stride(axis + 1);
    for (int i = 0; i < height; i++) {
      long at = product.place(out, batch) + (row + i) * out.stride(axis) + column * step;
      store(sums, i * width, width, out.memory(), at, step);
    }
  }

  private void sweep(
      Scratch<float[]> scratch,
      float[] rows,
      long batch,
      long column,
      int height,
      int width,
      long start,
      int depth,
      int[] sums) {
    Operand right = product.right();
    MemorySegment memory = right.memory();
    long rowStep = right.stride(axis);
    long at = product.place(right, batch) + start * rowStep + column;
    float[] part = scratch.panels(height * width);
    Arrays.fill(part, 0, height * width, 0);
    int p = 0;
    for (; p <= depth - ByteSweeps.GROUP; p += ByteSweeps.GROUP) {
      for (int i = 0; i < height; i++) {
        ByteSweeps.addRows(
            memory,
            at + p * rowStep,
            rowStep,
            rightSigned,
            rows,
            i * Tile.ROW_STEP + p,
            part,
            i * width,
            width);
      }
    }
    for (; p < depth; p++) {
      for (int i = 0; i < height; i++) {
        ByteSweeps.addRow(
            memory,
            at + p * rowStep,
            rightSigned,
            rows[i * Tile.ROW_STEP + p],
            part,
            i * width,
            width);
      }
    }
    addRow(part, 0, height * width, sums, 0, start > 0);
  }

  private float[] copyRows(
      Scratch<float[]> scratch, long batch, long row, int height, long start, int depth) {
    Operand left = product.left();
    long step = left.stride(axis + 1);
    float[] rows = scratch.rows(Math.ceilDiv(height, tile.rows()) * tile.rows() * Tile.ROW_STEP);
    for (int i = 0; i < height; i++) {
      long at = product.place(left, batch) + (row + i) * left.stride(axis) + start * step;
      ByteRuns.load(left.memory(), at, step, leftSigned, rows, i * Tile.ROW_STEP, depth);
    }
    return rows;
  }

  private float[] pack(
      Scratch<float[]> scratch, long batch, long column, int width, long start, int depth) {
    Operand right = product.right();
    long rowStep = right.stride(axis);
    long step = right.stride(axis + 1);
    int panel = tile.columns();
    float[] panels = scratch.panels(Math.ceilDiv(width, panel) * panel * depth);
    for (int j = 0; j < width; j += panel) {
      int columns = Math.min(panel, width - j);
      long at = product.place(right, batch) + start * rowStep + (column + j) * step;
      for (int p = 0; p < depth; p++) {
        int to = j * depth + p * panel;
        ByteRuns.load(right.memory(), at + p * rowStep, step, rightSigned, panels, to, columns);
      }
    }
    return panels;
  }

  private void multiply(
      float[] part,
      float[] rows,
      int height,
      float[] panels,
      int width,
      int depth,
      int[] sums,
      boolean add) {
    int panel = tile.columns();
    for (int j = 0; j < width; j += panel) {
      int columns = Math.min(panel, width - j);
      int count;
      for (int i = 0; i < height; i += count) {
        count = tile.rowsOf(height - i);
        tile.multiply(rows, i * Tile.ROW_STEP, panels, j * depth, depth, count, columns, part);
        for (int r = 0; r < count; r++) {
          addRow(part, r * panel, columns, sums, (i + r) * width + j, add);
        }
      }
    }
  }

  private static void addRow(
      float[] part, int from, int count, int[] sums, int sumsAt, boolean add) {
    if (add) {
      for (int j = 0; j < count; j++) {
        sums[sumsAt + j] += (int) part[from + j];
      }
    } else {
      for (int j = 0; j < count; j++) {
        sums[sumsAt + j] = (int) part[from + j];
      }
    }
  }

  private static void store(
      int[] sums, int from, int count, MemorySegment out, long at, long step) {
    if (step == Integer.BYTES) {
      MemorySegment.copy(sums, from, out, JAVA_INT_UNALIGNED, at, count);
    } else {
      for (int j = 0; j < count; j++) {
        out.set(JAVA_INT_UNALIGNED, at + j * step, sums[from + j]);
      }
    }
  }
}
