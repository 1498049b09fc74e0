package org.relaxvm.backendcpu.vector.gemm;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Epilogue;
import org.relaxvm.backendcpu.kernel.MatrixProduct;

/**
 * A product of few rows, which takes as long as reading the right matrix. So that is read once, as
 * it lies in memory: packing it would read it twice. Threads share its columns.
 *
 * @param <A> the array type
 */
final class FewRows<A> {
  /** More rows are worth packing for. */
  private static final int MOST_ROWS = 4;

  /** Sums at a time: those, and the rows that are added to them, fit the first cache. */
  private static final int SUMS = 4096;

  /** Of the inner dimension. */
  private static final int BLOCK = 4096;

  /** Elements of the matrix that take about as long as waking a thread. */
  private static final long SMALL = 1 << 17;

  /** Rows or columns of the matrix that are swept at once. */
  private static final int GROUP = 4;

  /** Of sums in memory: that of the widest vectors. */
  private static final long ALIGNMENT = 64;

  /** Columns of one thread are a multiple of this, so that they are grouped alike in all cuts. */
  private static final int COLUMN_STEP = 64;

  private final Codec<A> codec;
  private final MatrixSweeps<A> sweeps;
  private final MatrixProduct product;
  private final Epilogue<A> epilogue;
  private final ScratchPool<A> pool;
  private final int axis;
  private final int rows;
  private final int unitColumns;
  private final long grid;

  private FewRows(
      Codec<A> codec, MatrixSweeps<A> sweeps, MatrixProduct product, ScratchPool<A> pool) {
    this.codec = codec;
    this.sweeps = sweeps;
    this.product = product;
    this.pool = pool;
    epilogue = Epilogue.of(codec, product.bias(), product.residual(), product.activation());
    axis = product.rowAxis();
    rows = (int) product.m();
    WorkerPool workers = product.workers();
    long pieces = workers == null ? 1 : workers.parallelism();
    long share = Math.ceilDiv(Math.ceilDiv(product.n(), pieces), (long) COLUMN_STEP) * COLUMN_STEP;
    unitColumns = (int) Math.max(1, Math.min(SUMS / rows / COLUMN_STEP * COLUMN_STEP, share));
    grid = Math.ceilDiv(product.n(), (long) unitColumns);
  }

  /** Whether so many rows are few. */
  static boolean hasFew(long rows) {
    return rows <= MOST_ROWS;
  }

  /** Whether a product is one of few rows, and its right matrix has neighbours along an axis. */
  static boolean fits(MatrixProduct product, int bytes) {
    Operand right = product.right();
    int axis = product.rowAxis();
    return hasFew(product.m()) && (right.stride(axis + 1) == bytes || right.stride(axis) == bytes);
  }

  static <A> void run(
      Codec<A> codec, MatrixSweeps<A> sweeps, MatrixProduct product, ScratchPool<A> pool) {
    new FewRows<>(codec, sweeps, product, pool).run();
  }

  private void run() {
    long units = product.batches() * grid;
    WorkerPool workers = product.workers();
    if (workers == null) {
      run(0, units);
    } else {
      long cost = Math.min(unitColumns, product.n()) * product.k();
      workers.parallelFor(0, units, Math.max(1, SMALL / Math.max(1, cost)), this::run);
    }
  }

  private void run(long from, long to) {
    Scratch<A> scratch = pool.take();
    for (long unit = from; unit < to; unit++) {
      compute(scratch, unit / grid, unit % grid * unitColumns);
    }
    pool.give(scratch);
  }

  private void compute(Scratch<A> scratch, long batch, long column) {
    int width = (int) Math.min(unitColumns, product.n() - column);
    Operand left = product.left();
    Operand right = product.right();
    long leftAt = product.place(left, batch);
    long rowStep = right.stride(axis);
    long columnStep = right.stride(axis + 1);
    long rightAt = product.place(right, batch) + column * columnStep;
    boolean inRows = columnStep == codec.bytes();
    A sums = scratch.panels(rows * width);
    codec.lanes().fill(sums, 0, rows * width, 0);
    long lineBytes = Math.ceilDiv(width * (long) codec.bytes(), ALIGNMENT) * ALIGNMENT;
    MemorySegment lines = inRows ? scratch.stage(rows * lineBytes) : MemorySegment.NULL;
    lines.fill((byte) 0);
    A factors = scratch.rows((int) Math.min(BLOCK, product.k()) * rows);
    for (long start = 0; start < product.k(); start += BLOCK) {
      int depth = (int) Math.min(BLOCK, product.k() - start);
      long step = left.stride(axis + 1);
      for (int i = 0; i < rows; i++) {
        long at = leftAt + i * left.stride(axis) + start * step;
        codec.load(left.memory(), at, step, factors, i * depth, (i + 1) * depth);
      }
      long at = rightAt + start * rowStep;
      if (inRows) {
        addRows(right, at, rowStep, factors, depth, lines, lineBytes, width);
      } else {
        addDots(right, at, columnStep, factors, depth, sums, width);
      }
    }
    for (int i = 0; inRows && i < rows; i++) {
      long at = i * lineBytes;
      codec.load(lines, at, codec.bytes(), sums, i * width, (i + 1) * width);
    }
    finish(scratch, sums, batch, column, width);
  }

  /**
   * Four rows of the matrix for all rows of the left one, then the next four: from near memory. The
   * four are far from each other, each the next one of a quarter of the matrix, since memory gives
   * more when it is read in several places at once.
   */
  private void addRows(
      Operand right,
      long at,
      long rowStep,
      A factors,
      int depth,
      MemorySegment lines,
      long lineBytes,
      int width) {
    int quarter = depth / GROUP;
    for (int p = 0; p < quarter; p++) {
      for (int i = 0; i < rows; i++) {
        sweeps.addRows(
            right.memory(),
            at + p * rowStep,
            quarter * rowStep,
            factors,
            i * depth + p,
            quarter,
            lines,
            i * lineBytes,
            width);
      }
    }
    for (int p = GROUP * quarter; p < depth; p++) {
      for (int i = 0; i < rows; i++) {
        sweeps.addRow(
            right.memory(), at + p * rowStep, factors, i * depth + p, lines, i * lineBytes, width);
      }
    }
  }

  private void addDots(
      Operand right, long at, long columnStep, A factors, int depth, A sums, int width) {
    for (int j = 0; j < width; j += GROUP) {
      int count = Math.min(GROUP, width - j);
      long from = at + j * columnStep;
      for (int i = 0; i < rows; i++) {
        int sum = i * width + j;
        sweeps.addDots(
            right.memory(), from, columnStep, factors, i * depth, depth, sums, sum, count);
      }
    }
  }

  private void finish(Scratch<A> scratch, A sums, long batch, long column, int width) {
    Operand out = product.out();
    Operand bias = epilogue.bias();
    Operand residual = epilogue.residual();
    A line = scratch.line(width);
    long step = out.stride(axis + 1);
    long outAt = product.place(out, batch) + column * step;
    for (int i = 0; i < rows; i++) {
      System.arraycopy(sums, i * width, line, 0, width);
      if (residual != null) {
        long along = residual.stride(axis + 1);
        long at = product.place(residual, batch) + i * residual.stride(axis) + column * along;
        epilogue.addResidual(line, 0, width, at, along, scratch.extra());
      }
      long biasAt = 0;
      long biasStep = 0;
      if (bias != null) {
        biasStep = bias.stride(axis + 1);
        biasAt = product.place(bias, batch) + i * bias.stride(axis) + column * biasStep;
      }
      epilogue.finish(line, width, biasAt, biasStep, scratch.extra());
      codec.store(line, 0, width, out.memory(), outAt + i * out.stride(axis), step);
    }
  }
}
