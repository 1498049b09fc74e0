package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/**
 * Matrix product. A tile of the output is the sum over blocks of the inner dimension; for each
 * block the rows of {@code b} are brought into arrays once and used by all rows of the tile.
 */
public final class MatmulKernel {
  private static final int TILE_ROWS = 64;
  private static final int TILE_COLUMNS = 256;
  private static final int BLOCK = 128;

  private MatmulKernel() {}

  /** {@code relaxvm.matmul}. */
  public static void run(KernelCall call) {
    run(call, call.codec(call.output()));
  }

  private static <A> void run(KernelCall call, Codec<A> codec) {
    Tensor out = call.output();
    int rank = out.shape().rank();
    Operand a = matrix(call, 0, call.booleanAt(3));
    Operand b = matrix(call, 1, call.booleanAt(4));
    long m = a.dim(a.rank() - 2);
    long k = a.dim(a.rank() - 1);
    long n = b.dim(b.rank() - 1);
    if (b.dim(b.rank() - 2) != k) {
      throw call.wrongShape(
          1, "a matrix of " + k + " rows to multiply " + call.tensor(0).shape() + " with");
    }
    call.requireShape(6, productShape(call, a, b));
    Tensor bias = call.optionalTensor(2);
    Operand stretchedBias = null;
    if (bias != null) {
      call.requireBroadcast(2, out.shape());
      stretchedBias = Operand.of(bias).broadcastTo(out.shape());
    }
    Epilogue<A> epilogue = Epilogue.of(codec, stretchedBias, call.activation(5));
    Operand result = Operand.of(out);
    Operand left = stretched(a, out.shape());
    Operand right = stretched(b, out.shape());
    long tileRows = (m + TILE_ROWS - 1) / TILE_ROWS;
    long tileColumns = (n + TILE_COLUMNS - 1) / TILE_COLUMNS;
    long batches = 1;
    for (int axis = 0; axis < rank - 2; axis++) {
      batches *= out.shape().dim(axis);
    }
    Parallel.run(
        call.workers(),
        batches * tileRows * tileColumns,
        Math.min(m, TILE_ROWS) * Math.min(n, TILE_COLUMNS) * Math.max(1, k),
        (from, to) -> {
          Tile<A> tile = new Tile<>(codec, left, right, result, epilogue, k);
          for (long unit = from; unit < to; unit++) {
            long batch = unit / (tileRows * tileColumns);
            long row = unit / tileColumns % tileRows * TILE_ROWS;
            long column = unit % tileColumns * TILE_COLUMNS;
            tile.compute(batch, row, column);
          }
        });
  }

  private static Operand matrix(KernelCall call, int index, boolean transposed) {
    Operand operand = Operand.of(call.tensor(index));
    int rank = operand.rank();
    if (rank < 2) {
      throw call.wrongShape(index, "a tensor of rank 2 or more");
    }
    if (!transposed) {
      return operand;
    }
    int[] axes = new int[rank];
    for (int i = 0; i < rank; i++) {
      axes[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    }
    return operand.axes(axes);
  }

  private static Shape productShape(KernelCall call, Operand a, Operand b) {
    int rank = Math.max(a.rank(), b.rank());
    long[] dims = new long[rank];
    for (int fromEnd = 3; fromEnd <= rank; fromEnd++) {
      long x = fromEnd <= a.rank() ? a.dim(a.rank() - fromEnd) : 1;
      long y = fromEnd <= b.rank() ? b.dim(b.rank() - fromEnd) : 1;
      if (x != y && x != 1 && y != 1) {
        throw call.wrongShape(
            1, "a shape whose leading axes broadcast with those of " + call.tensor(0).shape());
      }
      dims[rank - fromEnd] = x == 1 ? y : x;
    }
    dims[rank - 2] = a.dim(a.rank() - 2);
    dims[rank - 1] = b.dim(b.rank() - 1);
    return Shape.of(dims);
  }

  /** The operand with the leading axes of the output; its own last two stay. */
  private static Operand stretched(Operand operand, Shape out) {
    long[] dims = out.toArray();
    int rank = operand.rank();
    dims[dims.length - 2] = operand.dim(rank - 2);
    dims[dims.length - 1] = operand.dim(rank - 1);
    long[] strides = operand.broadcastTo(Shape.of(dims)).strides();
    return new Operand(operand.memory(), operand.offset(), dims, strides);
  }

  /** Tiles of the output, one after the other, in one thread. */
  private static final class Tile<A> {
    private final Codec<A> codec;
    private final Lanes<A> lanes;
    private final Operand left;
    private final Operand right;
    private final Operand out;
    private final Epilogue<A> epilogue;
    private final @Nullable Operand bias;
    private final long depth;
    private final long height;
    private final long width;
    private final int outer;
    private final A[] panel;
    private final A[] sums;
    private final A factors;
    private final A scratch;

    Tile(
        Codec<A> codec,
        Operand left,
        Operand right,
        Operand out,
        Epilogue<A> epilogue,
        long depth) {
      this.codec = codec;
      this.lanes = codec.lanes();
      this.left = left;
      this.right = right;
      this.out = out;
      this.epilogue = epilogue;
      this.bias = epilogue.bias();
      this.depth = depth;
      this.outer = out.rank() - 2;
      this.height = out.dim(outer);
      this.width = out.dim(outer + 1);
      int columns = (int) Math.min(TILE_COLUMNS, width);
      int block = (int) Math.min(BLOCK, depth);
      this.panel = lanes.arrays(block, columns);
      this.sums = lanes.arrays((int) Math.min(TILE_ROWS, height), columns);
      this.factors = lanes.array(block);
      this.scratch = lanes.array(columns);
    }

    void compute(long batch, long row, long column) {
      int rows = (int) Math.min(TILE_ROWS, height - row);
      int columns = (int) Math.min(TILE_COLUMNS, width - column);
      long leftAt = place(left, batch) + row * left.stride(outer);
      long rightAt = place(right, batch) + column * right.stride(outer + 1);
      for (int i = 0; i < rows; i++) {
        lanes.fill(sums[i], 0, columns, 0);
      }
      for (long start = 0; start < depth; start += BLOCK) {
        int count = (int) Math.min(BLOCK, depth - start);
        loadPanel(rightAt + start * right.stride(outer), count, columns);
        long step = left.stride(outer + 1);
        for (int i = 0; i < rows; i++) {
          long at = leftAt + i * left.stride(outer) + start * step;
          codec.load(left.memory(), at, step, factors, 0, count);
          lanes.multiplyAdd(sums[i], factors, count, panel, columns);
        }
      }
      store(batch, row, column, rows, columns);
    }

    private void loadPanel(long at, int count, int columns) {
      for (int p = 0; p < count; p++) {
        codec.load(
            right.memory(),
            at + p * right.stride(outer),
            right.stride(outer + 1),
            panel[p],
            0,
            columns);
      }
    }

    private void store(long batch, long row, long column, int rows, int columns) {
      long outAt = place(out, batch) + row * out.stride(outer) + column * out.stride(outer + 1);
      long biasAt = 0;
      long biasRow = 0;
      long biasStep = 0;
      if (bias != null) {
        biasRow = bias.stride(outer);
        biasStep = bias.stride(outer + 1);
        biasAt = place(bias, batch) + row * biasRow + column * biasStep;
      }
      for (int i = 0; i < rows; i++) {
        epilogue.finish(sums[i], columns, biasAt + i * biasRow, biasStep, scratch);
        long at = outAt + i * out.stride(outer);
        codec.store(sums[i], 0, columns, out.memory(), at, out.stride(outer + 1));
      }
    }

    private long place(Operand operand, long batch) {
      long at = operand.offset();
      long left = batch;
      for (int axis = outer - 1; axis >= 0; axis--) {
        at += left % out.dim(axis) * operand.stride(axis);
        left /= out.dim(axis);
      }
      return at;
    }
  }
}
