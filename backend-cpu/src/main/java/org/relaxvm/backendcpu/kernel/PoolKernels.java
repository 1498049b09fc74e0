package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/** Pooling over images: each output row folds shifted rows of the image. */
public final class PoolKernels {
  private PoolKernels() {}

  /** Another way to compute some poolings. */
  public interface Other {
    /** Computes a pooling; false where it cannot. */
    boolean run(Pooling pooling);
  }

  /**
   * {@code relaxvm.max_pool2d}.
   *
   * @param other tried first; null for none
   */
  public static CpuKernel max(@Nullable Other other) {
    return call -> pool(Pooling.of(call, true), call.codec(call.output()), other);
  }

  /**
   * {@code relaxvm.avg_pool2d}.
   *
   * @param other tried first; null for none
   */
  public static CpuKernel average(@Nullable Other other) {
    return call -> pool(Pooling.of(call, false), call.codec(call.output()), other);
  }

  private static <A> void pool(Pooling pooling, Codec<A> codec, @Nullable Other other) {
    if (other != null && other.run(pooling)) {
      return;
    }
    Operand in = pooling.in();
    Operand out = pooling.out();
    Window.Pair windows = pooling.windows();
    long rows = out.dim(2);
    int columns = Math.toIntExact(out.dim(3));
    long cost = columns * windows.vertical().size() * windows.horizontal().size();
    Parallel.run(
        pooling.workers(),
        columns == 0 ? 0 : out.dim(0) * out.dim(1) * rows,
        cost,
        (from, to) -> {
          Row<A> row = new Row<>(codec, pooling, columns);
          for (long unit = from; unit < to; unit++) {
            long image = unit / rows / out.dim(1);
            long channel = unit / rows % out.dim(1);
            long y = unit % rows;
            A result = row.compute(image * in.stride(0) + channel * in.stride(1), y);
            long at = image * out.stride(0) + channel * out.stride(1) + y * out.stride(2);
            codec.store(result, 0, columns, out.memory(), out.offset() + at, out.stride(3));
          }
        });
  }

  /** One output row after the other, in one thread. */
  private static final class Row<A> {
    private final Codec<A> codec;
    private final Lanes<A> lanes;
    private final BinaryOp op;
    private final Operand in;
    private final Window vertical;
    private final Window horizontal;
    private final int columns;
    private final boolean countPadding;
    private final A result;
    private final A values;

    Row(Codec<A> codec, Pooling pooling, int columns) {
      this.codec = codec;
      this.lanes = codec.lanes();
      this.op = pooling.max() ? BinaryOp.MAXIMUM : BinaryOp.ADD;
      this.in = pooling.in();
      this.vertical = pooling.windows().vertical();
      this.horizontal = pooling.windows().horizontal();
      this.columns = columns;
      this.countPadding = pooling.countPadding();
      this.result = lanes.array(columns);
      this.values = lanes.array(columns);
    }

    A compute(long plane, long y) {
      if (op == BinaryOp.MAXIMUM) {
        codec.fillLowest(result, 0, columns);
      } else {
        lanes.fill(result, 0, columns, 0);
      }
      long rowsInside = 0;
      for (long ky = 0; ky < vertical.size(); ky++) {
        if (vertical.covers(y, ky)) {
          rowsInside++;
          foldImageRow(plane + vertical.place(y, ky) * in.stride(2));
        }
      }
      if (op == BinaryOp.ADD) {
        divide(rowsInside);
      }
      return result;
    }

    private void foldImageRow(long row) {
      for (long kx = 0; kx < horizontal.size(); kx++) {
        int from = (int) Math.min(columns, horizontal.firstInside(kx));
        int to = (int) horizontal.endInside(kx, columns);
        if (from < to) {
          long at = in.offset() + row + horizontal.place(from, kx) * in.stride(3);
          long step = horizontal.stride() * in.stride(3);
          codec.load(in.memory(), at, step, values, from, to);
          lanes.binary(op, result, values, from, to);
        }
      }
    }

    private void divide(long rowsInside) {
      if (countPadding) {
        lanes.fill(values, 0, columns, (double) vertical.size() * horizontal.size());
      } else {
        for (int x = 0; x < columns; x++) {
          long inside = 0;
          for (long kx = 0; kx < horizontal.size(); kx++) {
            inside += horizontal.covers(x, kx) ? 1 : 0;
          }
          lanes.fill(values, x, x + 1, (double) Math.max(1, inside * rowsInside));
        }
      }
      lanes.binary(BinaryOp.DIVIDE, result, values, 0, columns);
    }
  }
}
