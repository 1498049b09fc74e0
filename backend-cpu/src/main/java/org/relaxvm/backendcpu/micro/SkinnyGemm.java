package org.relaxvm.backendcpu.micro;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.invocation.ScratchMemory;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.micro.Blocks.Block;
import org.relaxvm.backendcpu.vector.ProcessMemory;
import org.relaxvm.backendcpu.vector.gemm.RowFinish;

/**
 * A skinny GEMM: the right matrix is read once, as it is in memory. Rows of it are divided into
 * parts with sums of their own, columns among threads; neither depends on how many threads there
 * are.
 *
 * @param <A> the array type of the codec
 */
final class SkinnyGemm<A> {
  /** The most rows of the left matrix. */
  static final int MOST_ROWS = 8;

  /**
   * Right matrices with unit stride along rows from these sizes on; smaller ones come from a cache,
   * which tiles read faster, as their sums are in registers.
   */
  private static final long LEAST_BYTES = 1 << 20;

  private static final long LEAST_BYTES_OF_ROWS = 16 << 20;

  /** Rows up to which sums in memory are faster than panels. */
  private static final int MOST_SWEPT = 4;

  /** Bytes that keep rows of sums out of each other's cache sets. */
  private static final int GAP = 192;

  /** Bytes of the sums of a strip, which stay in the first-level cache. */
  private static final int SUM_BYTES = 16 << 10;

  private static final long PART_BYTES = 1 << 20;
  private static final int MOST_PARTS = 16;

  /** Products that take about as long as waking a thread. */
  private static final long SMALL = 1 << 18;

  private final GemmCode code;
  private final Codec<A> codec;
  private final MatrixProduct product;
  private final RowFinish<A> finish;
  private final int bytes;
  private final int m;
  private final long n;
  private final long k;
  private final boolean isDot;
  private final boolean isLeftInPlace;
  private final int streams;
  private final long parts;
  private final long leftBytes;
  private final long sumsStep;

  private SkinnyGemm(GemmCode code, Codec<A> codec, MatrixProduct product) {
    this.code = code;
    this.codec = codec;
    this.product = product;
    finish = new RowFinish<>(codec, product);
    bytes = code.element().bytes();
    m = (int) product.m();
    n = product.n();
    k = product.k();
    int axis = product.rowAxis();
    isDot = product.right().stride(axis + 1) != bytes;
    isLeftInPlace = product.left().stride(axis + 1) == bytes;
    streams =
        isDot ? SkinnyCode.dotStreams(code.unit(), m) : SkinnyCode.sweepStreams(code.unit(), m);
    parts = isDot ? 1 : Math.clamp(Math.min(n * k * bytes / PART_BYTES, k / 32), 1, MOST_PARTS);
    leftBytes = isLeftInPlace ? 0 : Gemm.aligned(m * Packing.leftStep(code, k));
    sumsStep = Math.ceilDiv(n, (long) code.lanes()) * code.unit().bytes() + GAP;
  }

  /** Whether a product is computed this way. */
  static boolean fits(GemmCode code, MatrixProduct product) {
    int axis = product.rowAxis();
    int bytes = code.element().bytes();
    if (product.m() > MOST_ROWS || product.batches() != 1) {
      return false;
    }
    Operand right = product.right();
    if (right.stride(axis + 1) != bytes) {
      return right.stride(axis) == bytes;
    }
    long least = product.m() == 1 ? LEAST_BYTES : LEAST_BYTES_OF_ROWS;
    return product.m() <= MOST_SWEPT && product.n() * product.k() * bytes >= least;
  }

  static <A> void run(
      GemmCode code, Codec<A> codec, MatrixProduct product, @Nullable VmContext context) {
    SkinnyGemm<A> gemm = new SkinnyGemm<>(code, codec, product);
    ScratchMemory.Block memory = ScratchMemory.of(context).take(gemm.scratchBytes());
    try {
      gemm.run(memory.memory().address());
    } finally {
      memory.release();
    }
  }

  private long scratchBytes() {
    return leftBytes + parts * m * sumsStep;
  }

  private void run(long scratch) {
    int axis = product.rowAxis();
    Matrix left = Matrix.of(product.left(), product.place(product.left(), 0));
    if (!isLeftInPlace) {
      Block block = Blocks.all().take();
      long step = Packing.leftStep(code, k);
      new Packing(code, block).packLeft(left, m, k, scratch, step);
      left = new Matrix(scratch, step, bytes);
      Blocks.all().give(block);
    }
    Matrix rows = left;
    long sums = scratch + leftBytes;
    long units = isDot ? Math.ceilDiv(n, (long) streams) : parts;
    long cost = m * n * k / Math.max(1, units);
    WorkerPool workers = product.workers();
    if (workers == null || units == 1) {
      run(rows, sums, 0, units);
    } else {
      long grain = Math.max(1, SMALL / Math.max(1, cost));
      workers.parallelFor(0, units, grain, (from, to) -> run(rows, sums, from, to));
    }
    finish(sums, product.out().stride(axis + 1));
  }

  private void run(Matrix left, long sums, long from, long to) {
    Block block = Blocks.all().take();
    Matrix right = Matrix.of(product.right(), product.place(product.right(), 0));
    if (isDot) {
      long end = Math.min(n, to * streams);
      long start = from * streams;
      long whole = (end - start) / streams;
      dots(block, left, right, sums, start, whole, streams);
      long done = start + whole * streams;
      dots(block, left, right, sums, done, end - done, 1);
    } else {
      for (long part = from; part < to; part++) {
        long start = k * part / parts;
        sweep(block, left, right, sums + part * m * sumsStep, start, k * (part + 1) / parts);
      }
    }
    Blocks.all().give(block);
  }

  private void setEdge(Block block, long elements) {
    int edge = (int) (elements % code.lanes());
    block.set(SkinnyField.VECTORS, elements / code.lanes());
    block.set(SkinnyField.HAS_EDGE, edge == 0 ? 0 : 1);
    block.set(SkinnyField.EDGE, code.mask(edge));
  }

  /** Dot products with some columns, as many at once as there are streams. */
  private void dots(
      Block block, Matrix left, Matrix right, long sums, long column, long count, int atOnce) {
    if (count == 0) {
      return;
    }
    block.set(SkinnyField.LEFT, left.address());
    block.set(SkinnyField.LEFT_STEP, left.rowStep());
    block.set(SkinnyField.RIGHT, right.from(0, column).address());
    block.set(SkinnyField.RIGHT_DISTANCE, right.step());
    block.set(SkinnyField.RIGHT_STEP, right.step() * atOnce);
    block.set(SkinnyField.SUMS, sums + column * bytes);
    block.set(SkinnyField.SUMS_STEP, sumsStep);
    block.set(SkinnyField.COUNT, count);
    setEdge(block, k);
    block.call(code.dots(m, atOnce));
  }

  /** Adds the products of a part of the rows of the right matrix, strip by strip of columns. */
  private void sweep(Block block, Matrix left, Matrix right, long sums, long from, long to) {
    ProcessMemory.at(sums, m * sumsStep).fill((byte) 0);
    long width = Math.max(code.lanes(), SUM_BYTES / m / bytes / code.lanes() * code.lanes());
    long distance = (to - from) / streams;
    for (long column = 0; column < n; column += width) {
      long count = Math.min(width, n - column);
      if (distance > 0) {
        sweep(block, left, right, sums, from, column, count, distance, streams);
      }
      long done = from + distance * streams;
      if (done < to) {
        sweep(block, left, right, sums, done, column, count, to - done, 1);
      }
    }
  }

  private void sweep(
      Block block,
      Matrix left,
      Matrix right,
      long sums,
      long row,
      long column,
      long count,
      long distance,
      int atOnce) {
    block.set(SkinnyField.LEFT, left.from(0, row).address());
    block.set(SkinnyField.LEFT_STEP, left.rowStep());
    block.set(SkinnyField.LEFT_DISTANCE, distance * bytes);
    block.set(SkinnyField.RIGHT, right.from(row, column).address());
    block.set(SkinnyField.RIGHT_DISTANCE, distance * right.rowStep());
    block.set(SkinnyField.RIGHT_STEP, right.rowStep());
    block.set(SkinnyField.SUMS, sums + column * bytes);
    block.set(SkinnyField.SUMS_STEP, sumsStep);
    block.set(SkinnyField.COUNT, distance);
    setEdge(block, count);
    block.call(code.sweep(m, atOnce));
  }

  /** Adds the sums of the parts, and brings them to the output. */
  private void finish(long sums, long outStep) {
    Lines<A> lines = new Lines<>(codec);
    int width = (int) n;
    A line = lines.line(width);
    boolean isPlain = finish.isEmpty() && outStep == bytes;
    for (int i = 0; i < m; i++) {
      long at = sums + i * sumsStep;
      for (long part = 1; part < parts; part++) {
        add(at, at + part * m * sumsStep);
      }
      if (isPlain) {
        long to = Matrix.of(product.out(), product.place(product.out(), 0)).from(i, 0).address();
        ProcessMemory.at(to, n * bytes).copyFrom(ProcessMemory.at(at, n * bytes));
      } else {
        codec.load(ProcessMemory.ALL, ProcessMemory.known(at), bytes, line, 0, width);
        finish.store(lines, line, 0, i, 0, width);
      }
    }
  }

  /** Adds a row of sums to another one: with a factor of one, the code of a sweep does that. */
  private void add(long to, long from) {
    Block block = Blocks.all().take();
    block.set(SkinnyField.LEFT, code.one());
    block.set(SkinnyField.RIGHT, from);
    block.set(SkinnyField.SUMS, to);
    block.set(SkinnyField.COUNT, 1);
    setEdge(block, (sumsStep - GAP) / bytes);
    block.call(code.sweep(1, 1));
    Blocks.all().give(block);
  }
}
