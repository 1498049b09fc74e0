package org.relaxvm.backendcpu.micro;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.micro.Blocks.Block;
import org.relaxvm.backendcpu.vector.ProcessMemory;
import org.relaxvm.backendcpu.vector.gemm.RowFinish;

/**
 * One matrix product by emitted tiles. Each thread computes units of the output, with packed
 * operands of its own where operands are not read in place.
 *
 * @param <A> the array type of the codec
 */
final class Gemm<A> {
  /** Bytes of a right matrix that is read in place, unless its rows collide in a cache. */
  private static final long IN_PLACE = 320 << 10;

  /** Rows at distances of a multiple of this collide in the first-level cache. */
  private static final int COLLIDING = 2048;

  /** Columns for which it pays to copy rows of the left matrix that collide. */
  private static final int COPIED_COLUMNS = 64;

  /** Rows for which it pays to copy panels of the right matrix. */
  private static final int COPIED_ROWS = 48;

  private static final int ALIGNMENT = 64;

  private final GemmCode code;
  private final Codec<A> codec;
  private final MatrixProduct product;
  private final @Nullable PackedRight packed;
  private final GemmGrid grid;
  private final Epilogues epilogues;
  private final @Nullable RowFinish<A> finish;
  private final boolean isStaged;
  private final boolean isLeftInPlace;
  private final boolean isRightInPlace;
  private final int bytes;
  private final long gridRows;
  private final long gridColumns;

  Gemm(GemmCode code, Codec<A> codec, MatrixProduct product, @Nullable PackedRight packed) {
    this.code = code;
    this.codec = codec;
    this.product = product;
    this.packed = packed;
    bytes = code.element().bytes();
    int axis = product.rowAxis();
    isStaged = product.out().stride(axis + 1) != bytes;
    epilogues = Epilogues.of(product, bytes, isStaged);
    MatrixProduct remaining = epilogues.remaining();
    finish = remaining == null ? null : new RowFinish<>(codec, remaining);
    WorkerPool workers = product.workers();
    long m = product.m();
    long n = product.n();
    long k = product.k();
    int threads = workers == null ? 1 : workers.parallelism();
    grid = GemmGrid.of(code, m, n, k, product.batches(), threads, isStaged);
    gridRows = m == grid.unitRows() ? 1 : Math.ceilDiv(m, grid.unitRows());
    gridColumns = n <= grid.unitColumns() ? 1 : Math.ceilDiv(n, grid.unitColumns());
    Operand left = product.left();
    boolean collides = left.stride(axis) % COLLIDING == 0 && m > 4;
    isLeftInPlace = left.stride(axis + 1) == bytes && (!collides || n <= COPIED_COLUMNS);
    Operand right = product.right();
    boolean isSmall =
        m < COPIED_ROWS || (n * k * bytes <= IN_PLACE && right.stride(axis) % COLLIDING != 0);
    isRightInPlace = packed == null && right.stride(axis + 1) == bytes && isSmall;
  }

  /** Computes the product, in the threads of its workers. */
  void run(@Nullable VmContext context) {
    long units = product.batches() * gridRows * gridColumns;
    WorkerPool workers = product.workers();
    int threads = workers == null || units == 1 ? 1 : workers.parallelism();
    ThreadMemory scratch = ThreadMemory.of(context, scratchBytes(), threads);
    try {
      if (workers == null || units == 1) {
        run(scratch, 0, units);
      } else {
        long grain = grid.grain(product.k());
        workers.parallelFor(0, units, grain, (from, to) -> run(scratch, from, to));
      }
    } finally {
      scratch.release();
    }
  }

  private long leftBytes() {
    return isLeftInPlace ? 0 : grid.unitRows() * Packing.leftStep(code, grid.blockDepth());
  }

  private long rightBytes() {
    return isRightInPlace || packed != null
        ? 0
        : Packing.panelBytes(code, grid.blockDepth(), grid.blockColumns());
  }

  private long scratchBytes() {
    long stage = isStaged ? grid.unitRows() * grid.unitColumns() * bytes : 0;
    return aligned(leftBytes()) + aligned(rightBytes()) + aligned(stage);
  }

  static long aligned(long bytes) {
    return Math.ceilDiv(bytes, (long) ALIGNMENT) * ALIGNMENT;
  }

  private void run(ThreadMemory scratch, long from, long to) {
    Block block = Blocks.all().take();
    long memory = scratch.take();
    Lines<A> lines = new Lines<>(codec);
    for (long unit = from; unit < to; unit++) {
      long batch = unit / (gridRows * gridColumns);
      long row = unit / gridColumns % gridRows * grid.unitRows();
      long column = unit % gridColumns * grid.unitColumns();
      new Unit(block, memory, lines, batch, row, column).compute();
    }
    scratch.give(memory);
    Blocks.all().give(block);
  }

  /** One unit, in one thread. */
  private final class Unit {
    private final Block block;
    private final Packing packing;
    private final Lines<A> lines;
    private final long batch;
    private final long row;
    private final long column;
    private final long height;
    private final long width;
    private final Matrix left;
    private final Matrix right;
    private final Matrix sums;
    private final long leftMemory;
    private final long rightMemory;

    Unit(Block block, long memory, Lines<A> lines, long batch, long row, long column) {
      this.block = block;
      this.lines = lines;
      this.batch = batch;
      this.row = row;
      this.column = column;
      packing = new Packing(code, block);
      height = Math.min(grid.unitRows(), product.m() - row);
      width = Math.min(grid.unitColumns(), product.n() - column);
      left = matrix(product.left()).from(row, 0);
      right = matrix(product.right());
      leftMemory = memory;
      rightMemory = leftMemory + aligned(leftBytes());
      long stage = rightMemory + aligned(rightBytes());
      sums =
          isStaged
              ? new Matrix(stage, grid.unitColumns() * bytes, bytes)
              : matrix(product.out()).from(row, column);
    }

    private Matrix matrix(Operand operand) {
      return Matrix.of(operand, product.place(operand, batch));
    }

    void compute() {
      long k = product.k();
      for (long start = 0; start < k; start += grid.blockDepth()) {
        long depth = Math.min(grid.blockDepth(), k - start);
        Matrix rows = left.from(0, start);
        if (!isLeftInPlace) {
          long step = Packing.leftStep(code, grid.blockDepth());
          packing.packLeft(rows, height, depth, leftMemory, step);
          rows = new Matrix(leftMemory, step, bytes);
        }
        boolean isLast = start + depth == k;
        for (long from = 0; from < width; from += grid.blockColumns()) {
          long count = Math.min(grid.blockColumns(), width - from);
          multiply(rows, start, depth, from, count, isLast);
          if (isLast && finish != null) {
            finish(finish, from, count);
          }
        }
      }
    }

    private void multiply(
        Matrix rows, long start, long depth, long from, long count, boolean isLast) {
      Strips strips = Strips.of(height, code.unit().mostRows());
      int vectors = code.unit().panelVectors();
      int panel = vectors * code.lanes();
      Matrix panels = new Matrix(rightMemory, (long) panel * bytes, bytes);
      long panelStep = panel * depth * bytes;
      if (packed != null) {
        long at = packed.address(start, depth, column + from);
        panels = new Matrix(at, panels.rowStep(), bytes);
      } else if (isRightInPlace) {
        vectors =
            (int)
                Math.min(
                    code.unit().mostVectors(strips.height()),
                    Math.ceilDiv(count, (long) code.lanes()));
        panel = vectors * code.lanes();
        panels = right.from(start, column + from);
        panelStep = (long) panel * bytes;
      } else {
        packing.packRight(right.from(start, column + from), depth, count, rightMemory);
      }
      long edge = count % panel;
      block.set(BlockField.LEFT, rows.address());
      block.set(BlockField.LEFT_STEP, rows.rowStep());
      block.set(BlockField.RIGHT, panels.address());
      block.set(BlockField.RIGHT_STEP, panels.rowStep());
      block.set(BlockField.PANEL_STEP, panelStep);
      block.set(BlockField.OUT, sums.from(0, from).address());
      block.set(BlockField.OUT_STEP, sums.rowStep());
      block.set(BlockField.OUT_PANEL_STEP, (long) panel * bytes);
      block.set(BlockField.DEPTH, depth);
      block.set(BlockField.PANELS, count / panel);
      setEpilogue(start, from, isLast);
      setStrips(BlockField.FIRST_STRIPS, strips.first(), strips.height(), vectors, edge, rows);
      setStrips(
          BlockField.SECOND_STRIPS, strips.second(), strips.height() - 1, vectors, edge, rows);
      block.call(code.block());
    }

    private void setEpilogue(long start, long from, boolean isLast) {
      int flags = (start > 0 ? TileCode.ADD : 0) | (isLast ? epilogues.flags() : 0);
      block.set(BlockField.FLAGS, flags);
      Operand residual = product.residual();
      if ((flags & TileCode.WITH_RESIDUAL) != 0 && residual != null) {
        Matrix added = matrix(residual).from(row, column + from);
        block.set(BlockField.RESIDUAL, added.address());
        block.set(BlockField.RESIDUAL_STEP, added.rowStep());
      }
      Operand bias = product.bias();
      if ((flags & TileCode.WITH_BIAS) != 0 && bias != null) {
        block.set(BlockField.BIAS, matrix(bias).from(0, column + from).address());
      }
    }

    /** Sets the fields of strips of one height, which follow each other from the given one on. */
    private void setStrips(
        BlockField first, long strips, int rows, int vectors, long edge, Matrix leftRows) {
      boolean isSecond = first == BlockField.SECOND_STRIPS;
      block.set(first, strips);
      if (strips == 0) {
        return;
      }
      int lanes = code.lanes();
      int edgeVectors = (int) Math.ceilDiv(edge, (long) lanes);
      int edgeCount = (int) (edge - Math.max(0, edgeVectors - 1) * lanes);
      block.set(BlockField.EDGE, code.mask(edgeCount));
      block.set(field(BlockField.FIRST_TILE, isSecond), code.tile(rows, vectors, false));
      long edgeTile = edge == 0 ? 0 : code.tile(rows, edgeVectors, edgeCount < lanes);
      block.set(field(BlockField.FIRST_EDGE_TILE, isSecond), edgeTile);
      block.set(field(BlockField.FIRST_LEFT_STEP, isSecond), rows * leftRows.rowStep());
      block.set(field(BlockField.FIRST_OUT_STEP, isSecond), rows * sums.rowStep());
      Operand residual = product.residual();
      if (residual != null) {
        long step = residual.stride(product.rowAxis());
        block.set(field(BlockField.FIRST_RESIDUAL_STEP, isSecond), rows * step);
      }
    }

    private static BlockField field(BlockField first, boolean isSecond) {
      return isSecond ? first.second() : first;
    }

    /** Applies what tiles do not, and brings sums to the output that are not in it. */
    private void finish(RowFinish<A> rest, long from, long count) {
      for (long i = 0; i < height; i++) {
        if (isStaged) {
          A line = lines.line((int) count);
          long at = ProcessMemory.known(sums.from(i, from).address());
          codec.load(ProcessMemory.ALL, at, bytes, line, 0, (int) count);
          rest.store(lines, line, batch, row + i, column + from, (int) count);
        } else {
          rest.inPlace(lines, batch, row + i, column + from, (int) count);
        }
      }
    }
  }
}
