package org.relaxvm.backendcpu.vector.gemm;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * A skinny GEMM, which takes as long as reading the right matrix. So that is read once, as it lies
 * in memory: packing it would read it twice. Threads share its columns.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why does a skinny GEMM read the matrix at four
 * offsets?"
 *
 * @param <A> the array type
 */
final class FewRows<A> {
  /** More rows are worth packing for. */
  private static final int MOST_ROWS = 4;

  /** Sums at a time: those fit the first cache. */
  private static final int SUMS = 8192;

  /** Of the inner dimension. */
  private static final int BLOCK = 16384;

  /** Elements of the matrix that take about as long as waking a thread. */
  private static final long SMALL = 1 << 17;

  /** Elements of a matrix that threads share by its rows: each then reads what lies together. */
  private static final long LARGE = 1 << 20;

  /** Of the inner dimension of a large matrix: sums of their own cost little beside them. */
  private static final int LEAST_PARTS = 4;

  private static final int MOST_PARTS = 16;

  /** Of all parts: so much memory is kept for the next product. */
  private static final long MOST_SUMS = 1 << 22;

  /** Elements of a part where there may be more or fewer of them. */
  private static final long PART = 1 << 22;

  /** The depth from which on parts pay. */
  private static final int LEAST_DEPTH = 256;

  /** Rows or columns of the matrix that are swept at once. */
  private static final int GROUP = 4;

  /** Of sums in memory: that of the widest vectors. */
  private static final long ALIGNMENT = 64;

  /** Columns of one thread are a multiple of this, so that they are grouped alike in all cuts. */
  private static final int COLUMN_STEP = 64;

  private final Codec<A> codec;
  private final MatrixSweeps<A> sweeps;
  private final MatrixProduct product;
  private final RowFinish<A> finish;
  private final ScratchPool<A> pool;
  private final int axis;
  private final int rows;
  private final int unitColumns;
  private final long grid;
  // Of the inner dimension, each with sums of its own.
  private final int parts;

  private FewRows(
      Codec<A> codec, MatrixSweeps<A> sweeps, MatrixProduct product, ScratchPool<A> pool) {
    this.codec = codec;
    this.sweeps = sweeps;
    this.product = product;
    this.pool = pool;
    finish = new RowFinish<>(codec, product);
    axis = product.rowAxis();
    rows = (int) product.m();
    parts = parts(product, codec.bytes());
    WorkerPool workers = product.workers();
    // Threads take parts where there are some, and read all of a row.
    long pieces = workers == null || parts > 1 ? 1 : workers.parallelism();
    long share = Math.ceilDiv(Math.ceilDiv(product.n(), pieces), (long) COLUMN_STEP) * COLUMN_STEP;
    unitColumns = (int) Math.max(1, Math.min(SUMS / rows / COLUMN_STEP * COLUMN_STEP, share));
    grid = Math.ceilDiv(product.n(), (long) unitColumns);
  }

  /** Whether a product is one of few rows, and its right matrix has neighbours along an axis. */
  static boolean fits(MatrixProduct product, int bytes) {
    Operand right = product.right();
    int axis = product.rowAxis();
    return product.m() <= MOST_ROWS
        && (right.stride(axis + 1) == bytes || right.stride(axis) == bytes);
  }

  /**
   * Whether a turned product of few columns goes this way. A tile would take half its columns for
   * them; from about a third of it on that is no slower.
   */
  static boolean fitsTurned(MatrixProduct turned, Tile<?> tile) {
    return turned.m() <= mostColumns(tile)
        && turned.right().stride(turned.rowAxis()) == tile.codec().bytes();
  }

  /** The most columns of a product that may be turned. */
  static long mostColumns(Tile<?> tile) {
    return Math.max(MOST_ROWS, 5 * tile.columns() / 16);
  }

  static <A> void run(
      Codec<A> codec, MatrixSweeps<A> sweeps, MatrixProduct product, ScratchPool<A> pool) {
    new FewRows<>(codec, sweeps, product, pool).run();
  }

  /** Depends on the product alone, so that all numbers of threads give the same sums. */
  private static int parts(MatrixProduct product, int bytes) {
    boolean inRows = product.right().stride(product.rowAxis() + 1) == bytes;
    boolean large =
        product.k() >= LEAST_DEPTH
            && product.n() <= MOST_SUMS / (LEAST_PARTS * MOST_ROWS)
            && product.n() * product.k() >= LARGE;
    if (!inRows || !large || product.batches() != 1) {
      return 1;
    }
    int most = (int) Math.min(MOST_PARTS, MOST_SUMS / (product.m() * product.n()));
    return Math.clamp(product.n() * product.k() / PART, LEAST_PARTS, most);
  }

  private void run() {
    if (parts > 1) {
      runParts();
    } else {
      long cost = Math.min(unitColumns, product.n()) * product.k();
      run(product.batches() * grid, cost, this::run);
    }
  }

  private void run(long units, long cost, WorkerPool.RangeTask task) {
    WorkerPool workers = product.workers();
    if (workers == null) {
      task.run(0, units);
    } else {
      workers.parallelFor(0, units, Math.max(1, SMALL / Math.max(1, cost)), task);
    }
  }

  private void runParts() {
    int columns = (int) product.n();
    long depth = Math.ceilDiv(product.k(), (long) parts);
    long partBytes = rows * lineBytes(columns);
    Scratch<A> own = pool.take();
    // Memory that is kept: new arrays of so many sums would take as long as a hundred rows.
    MemorySegment sums = own.stage(parts * partBytes);
    run(
        parts * grid,
        depth * unitColumns,
        (from, to) -> {
          Scratch<A> scratch = pool.take();
          for (long unit = from; unit < to; unit++) {
            long part = unit / grid;
            long start = Math.min(product.k(), part * depth);
            long end = Math.min(product.k(), start + depth);
            int column = (int) (unit % grid) * unitColumns;
            int width = Math.min(unitColumns, columns - column);
            long at = part * partBytes + rows * (long) column * codec.bytes();
            MemorySegment lines = sums.asSlice(at, rows * lineBytes(width));
            sumRows(lines, scratch, 0, column, width, start, end);
          }
          pool.give(scratch);
        });
    addParts(own, sums, partBytes);
    pool.give(own);
  }

  /** Adds the sums of all parts up, always in the same order, and finishes them. */
  private void addParts(Scratch<A> scratch, MemorySegment sums, long partBytes) {
    int columns = (int) product.n();
    for (int column = 0; column < columns; column += unitColumns) {
      int width = Math.min(unitColumns, columns - column);
      int length = rows * width;
      A whole = scratch.panels(length);
      A more = scratch.rows(length);
      long at = rows * (long) column * codec.bytes();
      for (int part = 0; part < parts; part++) {
        MemorySegment lines = sums.asSlice(part * partBytes + at, rows * lineBytes(width));
        A to = part == 0 ? whole : more;
        for (int i = 0; i < rows; i++) {
          loadLine(lines, i, width, to, i * width);
        }
        if (part > 0) {
          codec.lanes().binary(BinaryOp.ADD, whole, more, 0, length);
        }
      }
      finish(scratch, whole, 0, column, width);
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
    A sums = scratch.panels(rows * width);
    if (inRows()) {
      MemorySegment lines = scratch.stage(rows * lineBytes(width));
      sumRows(lines, scratch, batch, column, width, 0, product.k());
      for (int i = 0; i < rows; i++) {
        loadLine(lines, i, width, sums, i * width);
      }
    } else {
      sumColumns(scratch, batch, column, width, sums);
    }
    finish(scratch, sums, batch, column, width);
  }

  private boolean inRows() {
    return product.right().stride(axis + 1) == codec.bytes();
  }

  /** Sums of some columns over a part of the inner dimension, a line for each left row. */
  private void sumRows(
      MemorySegment lines,
      Scratch<A> scratch,
      long batch,
      long column,
      int width,
      long from,
      long to) {
    Operand right = product.right();
    long rowStep = right.stride(axis);
    long at = product.place(right, batch) + column * codec.bytes();
    long lineBytes = lineBytes(width);
    lines.fill((byte) 0);
    for (long start = from; start < to; start += BLOCK) {
      int depth = (int) Math.min(BLOCK, to - start);
      A factors = factors(scratch, batch, start, depth);
      addRows(right, at + start * rowStep, rowStep, factors, depth, lines, lineBytes, width);
    }
  }

  private long lineBytes(int width) {
    return Math.ceilDiv(width * (long) codec.bytes(), ALIGNMENT) * ALIGNMENT;
  }

  private void loadLine(MemorySegment lines, int line, int width, A to, int toAt) {
    codec.load(lines, line * lineBytes(width), codec.bytes(), to, toAt, toAt + width);
  }

  /** The same over all of the inner dimension where that is what lies together. */
  private void sumColumns(Scratch<A> scratch, long batch, long column, int width, A sums) {
    Operand right = product.right();
    long columnStep = right.stride(axis + 1);
    long at = product.place(right, batch) + column * columnStep;
    codec.lanes().fill(sums, 0, rows * width, 0);
    for (long start = 0; start < product.k(); start += BLOCK) {
      int depth = (int) Math.min(BLOCK, product.k() - start);
      A factors = factors(scratch, batch, start, depth);
      addDots(right, at + start * codec.bytes(), columnStep, factors, depth, sums, width);
    }
  }

  /** A part of all left rows, one after the other. */
  private A factors(Scratch<A> scratch, long batch, long start, int depth) {
    Operand left = product.left();
    long step = left.stride(axis + 1);
    long at = product.place(left, batch) + start * step;
    A factors = scratch.rows(depth * rows);
    for (int i = 0; i < rows; i++) {
      long row = at + i * left.stride(axis);
      codec.load(left.memory(), row, step, factors, i * depth, (i + 1) * depth);
    }
    return factors;
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
    int groups = rows == 1 ? quarter : 1;
    for (int p = 0; p < quarter; p += groups) {
      for (int i = 0; i < rows; i++) {
        sweeps.addRows(
            right.memory(),
            at + p * rowStep,
            groups,
            rowStep,
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

  /** Four columns at a time, far from each other like the rows above. */
  private void addDots(
      Operand right, long at, long columnStep, A factors, int depth, A sums, int width) {
    int quarter = width / GROUP;
    for (int j = 0; j < quarter; j++) {
      long from = at + j * columnStep;
      for (int i = 0; i < rows; i++) {
        sweeps.addDots(
            right.memory(),
            from,
            quarter * columnStep,
            factors,
            i * depth,
            depth,
            sums,
            i * width + j,
            quarter,
            GROUP);
      }
    }
    int done = GROUP * quarter;
    for (int i = 0; i < rows; i++) {
      sweeps.addDots(
          right.memory(),
          at + done * columnStep,
          columnStep,
          factors,
          i * depth,
          depth,
          sums,
          i * width + done,
          1,
          width - done);
    }
  }

  private void finish(Scratch<A> scratch, A sums, long batch, long column, int width) {
    A line = scratch.line(width);
    for (int i = 0; i < rows; i++) {
      System.arraycopy(sums, i * width, line, 0, width);
      finish.store(scratch, line, batch, i, column, width);
    }
  }
}
