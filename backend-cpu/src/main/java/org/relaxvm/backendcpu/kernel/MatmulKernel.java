package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
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
    run(MatrixProduct.of(call));
  }

  /** {@code relaxvm.matmul_residual}. */
  public static void runResidual(KernelCall call) {
    run(MatrixProduct.ofResidual(call));
  }

  /** {@code relaxvm.matmul_integer}. */
  public static void runIntegers(KernelCall call) {
    run(
        MatrixProduct.ofIntegers(call),
        Codecs.integer(call.tensor(0).dtype()),
        Codecs.integer(call.tensor(1).dtype()),
        Codecs.integer(call.output().dtype()));
  }

  /** Computes a product of operands of one dtype. */
  public static void run(MatrixProduct product) {
    run(product, Codecs.of(product.dtype(), product.floats()));
  }

  private static <A> void run(MatrixProduct product, Codec<A> codec) {
    run(product, codec, codec, codec);
  }

  private static <A> void run(
      MatrixProduct product, Codec<A> leftCodec, Codec<A> rightCodec, Codec<A> codec) {
    long m = product.m();
    long n = product.n();
    Epilogue<A> epilogue =
        Epilogue.of(codec, product.bias(), product.residual(), product.activation());
    long tileRows = (m + TILE_ROWS - 1) / TILE_ROWS;
    long tileColumns = (n + TILE_COLUMNS - 1) / TILE_COLUMNS;
    Parallel.run(
        product.workers(),
        product.batches() * tileRows * tileColumns,
        Math.min(m, TILE_ROWS) * Math.min(n, TILE_COLUMNS) * Math.max(1, product.k()),
        (from, to) -> {
          Tile<A> tile = new Tile<>(leftCodec, rightCodec, codec, product, epilogue);
          for (long unit = from; unit < to; unit++) {
            long batch = unit / (tileRows * tileColumns);
            long row = unit / tileColumns % tileRows * TILE_ROWS;
            long column = unit % tileColumns * TILE_COLUMNS;
            tile.compute(batch, row, column);
          }
        });
  }

  /** Tiles of the output, one after the other, in one thread. */
  private static final class Tile<A> {
    private final Codec<A> leftCodec;
    private final Codec<A> rightCodec;
    private final Codec<A> codec;
    private final Lanes<A> lanes;
    private final MatrixProduct product;
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
        Codec<A> leftCodec,
        Codec<A> rightCodec,
        Codec<A> codec,
        MatrixProduct product,
        Epilogue<A> epilogue) {
      this.leftCodec = leftCodec;
      this.rightCodec = rightCodec;
      this.codec = codec;
      this.lanes = codec.lanes();
      this.product = product;
      this.left = product.left();
      this.right = product.right();
      this.out = product.out();
      this.epilogue = epilogue;
      this.bias = epilogue.bias();
      this.depth = product.k();
      this.outer = product.rowAxis();
      this.height = product.m();
      this.width = product.n();
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
      long leftAt = product.place(left, batch) + row * left.stride(outer);
      long rightAt = product.place(right, batch) + column * right.stride(outer + 1);
      for (int i = 0; i < rows; i++) {
        lanes.fill(sums[i], 0, columns, 0);
      }
      for (long start = 0; start < depth; start += BLOCK) {
        int count = (int) Math.min(BLOCK, depth - start);
        loadPanel(rightAt + start * right.stride(outer), count, columns);
        long step = left.stride(outer + 1);
        for (int i = 0; i < rows; i++) {
          long at = leftAt + i * left.stride(outer) + start * step;
          leftCodec.load(left.memory(), at, step, factors, 0, count);
          lanes.multiplyAdd(sums[i], factors, count, panel, columns);
        }
      }
      store(batch, row, column, rows, columns);
    }

    private void loadPanel(long at, int count, int columns) {
      for (int p = 0; p < count; p++) {
        rightCodec.load(
            right.memory(),
            at + p * right.stride(outer),
            right.stride(outer + 1),
            panel[p],
            0,
            columns);
      }
    }

    private void store(long batch, long row, long column, int rows, int columns) {
      long outAt = place(out, batch, row, column);
      long biasAt = 0;
      long biasRow = 0;
      long biasStep = 0;
      if (bias != null) {
        biasRow = bias.stride(outer);
        biasStep = bias.stride(outer + 1);
        biasAt = product.place(bias, batch) + row * biasRow + column * biasStep;
      }
      Operand residual = epilogue.residual();
      for (int i = 0; i < rows; i++) {
        if (residual != null) {
          long at = place(residual, batch, row + i, column);
          epilogue.addResidual(sums[i], 0, columns, at, residual.stride(outer + 1), scratch);
        }
        epilogue.finish(sums[i], columns, biasAt + i * biasRow, biasStep, scratch);
        long at = outAt + i * out.stride(outer);
        codec.store(sums[i], 0, columns, out.memory(), at, out.stride(outer + 1));
      }
    }

    private long place(Operand operand, long batch, long row, long column) {
      return product.place(operand, batch)
          + row * operand.stride(outer)
          + column * operand.stride(outer + 1);
    }
  }
}
