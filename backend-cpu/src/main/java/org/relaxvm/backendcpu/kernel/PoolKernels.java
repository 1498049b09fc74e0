package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/** Pooling over images: each output row folds shifted rows of the image. */
public final class PoolKernels {
  private PoolKernels() {}

  /** Folds float32 elements of memory into an array, faster than one after the other. */
  public interface FloatFold {
    /**
     * Folds elements: {@code into[i] = into[i] op x[i]}, for {@code from <= i < to}.
     *
     * @param op maximum or addition
     * @param at place of {@code x[from]}, in bytes
     * @param step distance of the elements, in bytes
     */
    void fold(
        BinaryOp op, MemorySegment memory, long at, long step, float[] into, int from, int to);
  }

  /**
   * {@code relaxvm.max_pool2d}.
   *
   * @param floats for float32; null for portable Java
   */
  public static CpuKernel max(@Nullable FloatFold floats) {
    return call -> pool(call, call.codec(call.output()), BinaryOp.MAXIMUM, false, floats);
  }

  /**
   * {@code relaxvm.avg_pool2d}.
   *
   * @param floats for float32; null for portable Java
   */
  public static CpuKernel average(@Nullable FloatFold floats) {
    return call -> pool(call, call.codec(call.output()), BinaryOp.ADD, call.booleanAt(6), floats);
  }

  private static <A> void pool(
      KernelCall call,
      Codec<A> codec,
      BinaryOp op,
      boolean countPadding,
      @Nullable FloatFold floats) {
    call.requireRank(0, 4);
    Window.Pair windows = Window.pair(call, 0, call.extents(1, 2, 1), 2);
    boolean roundUp = call.booleanAt(5);
    long rows = windows.vertical().positions(roundUp);
    int columns = Math.toIntExact(windows.horizontal().positions(roundUp));
    Shape shape = call.tensor(0).shape();
    call.requireShape(call.count() - 1, Shape.of(shape.dim(0), shape.dim(1), rows, columns));
    Operand in = Operand.of(call.tensor(0));
    Operand out = Operand.of(call.output());
    FloatFold fold = call.output().dtype().equals(DType.FLOAT32) ? floats : null;
    long cost = columns * windows.vertical().size() * windows.horizontal().size();
    Parallel.run(
        call.workers(),
        columns == 0 ? 0 : shape.dim(0) * shape.dim(1) * rows,
        cost,
        (from, to) -> {
          Row<A> row = new Row<>(codec, op, in, windows, columns, countPadding, fold);
          for (long unit = from; unit < to; unit++) {
            long image = unit / rows / shape.dim(1);
            long channel = unit / rows % shape.dim(1);
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
    private final @Nullable FloatFold fold;
    private final A result;
    private final A values;

    Row(
        Codec<A> codec,
        BinaryOp op,
        Operand in,
        Window.Pair windows,
        int columns,
        boolean countPadding,
        @Nullable FloatFold fold) {
      this.fold = fold;
      this.codec = codec;
      this.lanes = codec.lanes();
      this.op = op;
      this.in = in;
      this.vertical = windows.vertical();
      this.horizontal = windows.horizontal();
      this.columns = columns;
      this.countPadding = countPadding;
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
          if (fold != null && result instanceof float[] floats) {
            fold.fold(op, in.memory(), at, step, floats, from, to);
          } else {
            codec.load(in.memory(), at, step, values, from, to);
            lanes.binary(op, result, values, from, to);
          }
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
