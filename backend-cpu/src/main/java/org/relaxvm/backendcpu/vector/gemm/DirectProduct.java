package org.relaxvm.backendcpu.vector.gemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;
import org.relaxvm.backendcpu.vector.gemm.tile.WideTile;

/**
 * A product that is too small for packing to pay: the tile reads the right matrix where it lies and
 * writes to the output; only a strip of left rows is copied at a time. The last tiles of a row or
 * column move back so that they are whole, and compute some sums again.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why are small GEMMs not packed?"
 *
 * @param <A> the array type
 */
final class DirectProduct<A> {
  /** Of the inner dimension: a strip of left rows is a part of the first cache. */
  private static final int DEPTH = 512;

  /** Bytes of left rows that are copied at once, where that is more than a strip. */
  private static final int COPY_BYTES = 16 << 10;

  /** Bytes of a right matrix that all strips of rows go through. */
  private static final long RIGHT_BYTES = 4 << 20;

  /** Of one that is read from the second cache: kept panels and tall tiles suit larger ones. */
  private static final long NEAR_BYTES = 256 << 10;

  /** Products that take about as long as waking a thread. */
  private static final long SMALL = 1 << 20;

  /** Bytes of a panel of a wide tile, all strips of which read it from the first cache. */
  private static final int WIDE_BYTES = 32 << 10;

  /** Units per thread, so that a slow one does not keep the others waiting. */
  private static final int UNITS_PER_THREAD = 4;

  private final Tile<A> tile;
  private final @Nullable WideTile wide;
  private final Codec<A> codec;
  private final MatrixProduct product;
  private final RowFinish<A> finish;
  private final ScratchPool<A> pool;
  private final int axis;
  private final int m;
  private final int n;
  private final int k;
  // Of a strip.
  private final int rows;
  // Whole strips; the last unit has the rows that are left over too.
  private final int strips;
  private final int unitStrips;
  private final int copyStrips;
  private final int grid;

  private DirectProduct(Tile<A> tile, Codec<A> codec, MatrixProduct product, ScratchPool<A> pool) {
    this.tile = tile;
    this.codec = codec;
    this.product = product;
    this.pool = pool;
    finish = new RowFinish<>(codec, product);
    axis = product.rowAxis();
    m = (int) product.m();
    n = (int) product.n();
    k = (int) product.k();
    rows = m < tile.rows() ? tile.lowRows() : tile.rows();
    strips = m / rows;
    wide = fitsWide(tile.wide()) ? tile.wide() : null;
    WorkerPool workers = product.workers();
    boolean small = (double) product.batches() * m * n * k <= SMALL;
    int pieces = workers == null || small ? 1 : workers.parallelism() * UNITS_PER_THREAD;
    unitStrips = Math.ceilDiv(strips, pieces);
    grid = Math.ceilDiv(strips, unitStrips);
    copyStrips = Math.max(1, COPY_BYTES / (rows * k * codec.bytes()));
  }

  /**
   * Whether a product is small, and its right matrix and output have neighbours in rows.
   *
   * @param kept whether panels of the right matrix could be kept
   */
  static boolean fits(MatrixProduct product, Tile<?> tile, boolean kept) {
    int axis = product.rowAxis();
    int bytes = tile.codec().bytes();
    Operand right = product.right();
    return product.k() <= DEPTH
        && product.m() >= tile.lowRows()
        && product.m() <= Integer.MAX_VALUE / 2
        && product.n() >= tile.columns()
        && product.n() * product.k() * bytes <= (kept ? NEAR_BYTES : RIGHT_BYTES)
        && right.stride(axis + 1) == bytes
        && product.out().stride(axis + 1) == bytes;
  }

  private boolean fitsWide(@Nullable WideTile tile) {
    return tile != null
        && n % tile.columns() == 0
        && (long) n * k * codec.bytes() <= NEAR_BYTES
        && k * tile.columns() * codec.bytes() <= WIDE_BYTES;
  }

  /** Computes a product that fits, whose elements are those of the tile. */
  static <A> void run(Tile<A> tile, Codec<A> codec, MatrixProduct product, ScratchPool<A> pool) {
    new DirectProduct<>(tile, codec, product, pool).run();
  }

  private void run() {
    long units = product.batches() * grid;
    WorkerPool workers = product.workers();
    long cost = Math.max(1, (long) unitStrips * rows * n * k);
    if (workers == null || units * cost <= SMALL) {
      run(0, units);
    } else {
      workers.parallelFor(0, units, Math.max(1, SMALL / cost), this::run);
    }
  }

  private void run(long from, long to) {
    if (wide != null) {
      runWide(wide, from, to);
      return;
    }
    Scratch<A> scratch = pool.take();
    for (long unit = from; unit < to; unit++) {
      long batch = unit / grid;
      int first = (int) (unit % grid) * unitStrips;
      int end = Math.min(strips, first + unitStrips);
      for (int strip = first; strip < end; strip += copyStrips) {
        int next = Math.min(strip + copyStrips, end);
        compute(scratch, batch, strip * rows, next * rows, next == strips ? m : next * rows);
      }
    }
    pool.give(scratch);
  }

  private void runWide(WideTile wide, long from, long to) {
    for (long unit = from; unit < to; unit++) {
      long batch = unit / grid;
      int first = (int) (unit % grid) * unitStrips;
      int end = Math.min(strips, first + unitStrips);
      int row = first * rows;
      int count = (end == strips ? m : end * rows) - row;
      multiplyWide(wide, batch, row, count);
      if (!finish.isEmpty()) {
        Scratch<A> scratch = pool.take();
        finish(scratch, batch, row, count);
        pool.give(scratch);
      }
    }
  }

  private void multiplyWide(WideTile wide, long batch, int row, int count) {
    Operand left = product.left();
    Operand right = product.right();
    Operand out = product.out();
    wide.multiply(
        left.memory(),
        product.place(left, batch) + row * left.stride(axis),
        left.stride(axis),
        left.stride(axis + 1),
        count,
        right.memory(),
        product.place(right, batch),
        right.stride(axis),
        k,
        n,
        out.memory(),
        product.place(out, batch) + row * out.stride(axis),
        out.stride(axis));
  }

  /**
   * Some rows.
   *
   * @param to end of the whole strips
   * @param end of the rows; those after the strips are fewer than a strip has
   */
  private void compute(Scratch<A> scratch, long batch, int from, int to, int end) {
    A left = copyRows(scratch, batch, from, end - from);
    int low = tile.lowRows();
    if (rows == tile.rows()) {
      multiply(batch, left, 0, from, to - from);
    } else {
      for (int row = from; row < to; row += low) {
        multiply(batch, left, (row - from) * Tile.ROW_STEP, row, low);
      }
    }
    if (end - to > 2 * low) {
      multiply(batch, left, (end - rows - from) * Tile.ROW_STEP, end - rows, rows);
    } else {
      for (int row = to; row < end; row += low) {
        int start = Math.min(row, end - low);
        multiply(batch, left, (start - from) * Tile.ROW_STEP, start, low);
      }
    }
    finish(scratch, batch, from, end - from);
  }

  /**
   * Multiplies rows that are copied already.
   *
   * @param count the rows of a low tile, or a multiple of those of a whole one
   */
  private void multiply(long batch, A left, int leftAt, int row, int count) {
    Operand right = product.right();
    Operand out = product.out();
    long rightAt = product.place(right, batch);
    long rightRow = right.stride(axis);
    long outRow = out.stride(axis);
    long outAt = product.place(out, batch) + row * outRow;
    long bytes = codec.bytes();
    int width = tile.columns();
    int whole = n / width * width;
    tile.direct(
        left,
        leftAt,
        count,
        right.memory(),
        rightAt,
        rightRow,
        k,
        whole,
        out.memory(),
        outAt,
        outRow);
    if (whole < n) {
      boolean narrow = count >= tile.rows() && n - whole <= width / 2;
      int columns = narrow ? width / 2 : width;
      long column = (n - columns) * bytes;
      int step = Math.min(count, tile.rows());
      for (int i = 0; i < count; i += step) {
        tile.direct(
            left,
            leftAt + i * Tile.ROW_STEP,
            step,
            right.memory(),
            rightAt + column,
            rightRow,
            k,
            columns,
            out.memory(),
            outAt + i * outRow + column,
            outRow);
      }
    }
  }

  private A copyRows(Scratch<A> scratch, long batch, int row, int count) {
    Operand left = product.left();
    long rowStep = left.stride(axis);
    long step = left.stride(axis + 1);
    long at = product.place(left, batch) + row * rowStep;
    A copy = scratch.rows(count * Tile.ROW_STEP);
    for (int i = 0; i < count; i++) {
      int to = i * Tile.ROW_STEP;
      codec.load(left.memory(), at + i * rowStep, step, copy, to, to + k);
    }
    return copy;
  }

  private void finish(Scratch<A> scratch, long batch, int row, int count) {
    if (!finish.isEmpty()) {
      for (int i = row; i < row + count; i++) {
        finish.inPlace(scratch, batch, i, 0, n);
      }
    }
  }
}
