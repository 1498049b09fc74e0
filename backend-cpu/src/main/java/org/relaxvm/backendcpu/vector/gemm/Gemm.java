package org.relaxvm.backendcpu.vector.gemm;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * One product, cut as its plan says. Immutable; each thread computes units of it with scratch
 * memory of its own.
 *
 * @param <A> the array type
 */
final class Gemm<A> {
  private final Tile<A> tile;
  private final Codec<A> codec;
  private final MatrixProduct product;
  private final RowFinish<A> finish;
  private final ScratchPool<A> pool;
  private final RightMatrices<A> right;
  // Of the whole right matrix, where they are kept.
  private final @Nullable A panels;
  private final GemmPlan plan;
  private final int axis;
  // Of an element in memory while it is summed.
  private final int bytes;
  private final long gridRows;
  private final long gridColumns;
  // Whether sums wait in memory of their own, since the output holds none of them as neighbours.
  private final boolean staged;

  /**
   * A matrix product in memory.
   *
   * @param panels of the right matrix, as {@link ConstantPanels} has them; null to pack them
   */
  Gemm(
      Tile<A> tile,
      Codec<A> codec,
      MatrixProduct product,
      @Nullable A panels,
      ScratchPool<A> pool) {
    this(
        tile,
        codec,
        product,
        batch -> Packers.of(tile, codec, product.right(), product.place(product.right(), batch)),
        panels,
        pool);
  }

  /** A product whose right matrices come from packers; the operand of the product is not read. */
  Gemm(
      Tile<A> tile,
      Codec<A> codec,
      MatrixProduct product,
      RightMatrices<A> right,
      ScratchPool<A> pool) {
    this(tile, codec, product, right, null, pool);
  }

  private Gemm(
      Tile<A> tile,
      Codec<A> codec,
      MatrixProduct product,
      RightMatrices<A> right,
      @Nullable A panels,
      ScratchPool<A> pool) {
    this.right = right;
    this.panels = panels;
    this.tile = tile;
    this.codec = codec;
    this.product = product;
    this.pool = pool;
    this.finish = new RowFinish<>(codec, product);
    this.axis = product.rowAxis();
    this.bytes = tile.codec().bytes();
    this.staged = codec.bytes() != bytes || product.out().stride(axis + 1) != codec.bytes();
    WorkerPool workers = product.workers();
    this.plan =
        GemmPlan.of(
            tile,
            product.m(),
            product.n(),
            product.k(),
            product.batches(),
            workers == null ? 1 : workers.parallelism(),
            staged);
    this.gridRows = Math.ceilDiv(product.m(), (long) plan.unitRows());
    this.gridColumns = Math.ceilDiv(product.n(), (long) plan.unitColumns());
  }

  /** Computes the product, in the threads of its workers. */
  void run() {
    long units = product.batches() * gridRows * gridColumns;
    WorkerPool workers = product.workers();
    if (workers == null || units == 1) {
      run(0, units);
    } else {
      workers.parallelFor(0, units, plan.grain(product.k()), this::run);
    }
  }

  private void run(long from, long to) {
    Scratch<A> scratch = pool.take();
    for (long unit = from; unit < to; unit++) {
      long batch = unit / (gridRows * gridColumns);
      long row = unit / gridColumns % gridRows * plan.unitRows();
      long column = unit % gridColumns * plan.unitColumns();
      new Unit(scratch, batch, row, column).compute();
    }
    pool.give(scratch);
  }

  /** One unit, in one thread. */
  private final class Unit {
    private final Scratch<A> scratch;
    private final long batch;
    private final long row;
    private final long column;
    private final int height;
    private final int width;
    private final MemorySegment sink;
    private final long sinkAt;
    private final long sinkRow;

    Unit(Scratch<A> scratch, long batch, long row, long column) {
      this.scratch = scratch;
      this.batch = batch;
      this.row = row;
      this.column = column;
      height = (int) Math.min(plan.unitRows(), product.m() - row);
      width = (int) Math.min(plan.unitColumns(), product.n() - column);
      if (staged) {
        sinkAt = 0;
        sinkRow = width * (long) bytes;
        sink = scratch.stage(height * sinkRow);
      } else {
        Operand out = product.out();
        sink = out.memory();
        sinkRow = out.stride(axis);
        sinkAt = product.place(out, batch) + row * sinkRow + column * bytes;
      }
    }

    void compute() {
      PanelPacker<A> packer = right.packer(batch);
      long k = product.k();
      for (long start = 0; start < k; start += plan.blockDepth()) {
        int depth = (int) Math.min(plan.blockDepth(), k - start);
        A packed = panels;
        int packedAt = ConstantPanels.at(start, depth, product.n(), column, tile.columns());
        if (packed == null) {
          packed = pack(packer, start, depth);
          packedAt = 0;
        }
        for (int from = 0; from < height; from += plan.blockRows()) {
          int count = Math.min(plan.blockRows(), height - from);
          A rows = copyRows(from, count, start, depth);
          multiply(rows, from, count, packed, packedAt, depth, start > 0);
          if (start + depth == k && (staged || !finish.isEmpty())) {
            finish(from, count);
          }
        }
      }
    }

    private A pack(PanelPacker<A> packer, long start, int depth) {
      int panel = tile.columns();
      A panels = scratch.panels(Math.ceilDiv(width, panel) * panel * depth);
      for (int j = 0; j < width; j += panel) {
        int columns = Math.min(panel, width - j);
        packer.pack(start, depth, column + j, columns, panels, j * depth);
      }
      return panels;
    }

    /** Rows one after the other, without gaps; what the last strip lacks is left as it was. */
    private A copyRows(int from, int count, long start, int depth) {
      Operand left = product.left();
      long rowStep = left.stride(axis);
      long step = left.stride(axis + 1);
      long at = product.place(left, batch) + (row + from) * rowStep + start * step;
      A rows = scratch.rows(Math.ceilDiv(count, tile.rows()) * tile.rows() * Tile.ROW_STEP);
      for (int i = 0; i < count; i++) {
        int to = i * Tile.ROW_STEP;
        codec.load(left.memory(), at + i * rowStep, step, rows, to, to + depth);
      }
      return rows;
    }

    private void multiply(
        A rows, int from, int count, A panels, int panelsAt, int depth, boolean add) {
      A sums = scratch.sums();
      for (int j = 0; j < width; j += tile.columns()) {
        int columns = Math.min(tile.columns(), width - j);
        long at = sinkAt + from * sinkRow + j * (long) bytes;
        int height;
        for (int i = 0; i < count; i += height) {
          height = tile.rowsOf(count - i);
          tile.multiply(
              rows, i * Tile.ROW_STEP, panels, panelsAt + j * depth, depth, height, columns, sums);
          tile.store(sums, height, columns, sink, at + i * sinkRow, sinkRow, add);
        }
      }
    }

    /** Bias, activation, and the way to the output where the sums are not in it yet. */
    private void finish(int from, int count) {
      for (int i = from; i < from + count; i++) {
        if (staged) {
          A line = scratch.line(width);
          tile.codec().load(sink, sinkAt + i * sinkRow, bytes, line, 0, width);
          finish.store(scratch, line, batch, row + i, column, width);
        } else {
          finish.inPlace(scratch, batch, row + i, column, width);
        }
      }
    }
  }
}
