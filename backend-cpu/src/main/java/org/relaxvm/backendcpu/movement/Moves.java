package org.relaxvm.backendcpu.movement;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/** Copies elements between operands of one shape and any strides. */
public final class Moves {
  private static final int RUN = 1 << 14;

  /** To begin shorter runs one by one takes longer than to go along another axis. */
  private static final int SHORTEST = 8;

  private Moves() {}

  /** Copies elements of the size of the call's output, with the call's threads. */
  public static void run(KernelCall call, Operand from, Operand to) {
    copy(call.workers(), call.blocks(), call.output().dtype().elementByteSize(), from, to);
  }

  /** Copies elements of so many bytes in this thread. */
  public static void inThisThread(int bytes, Operand from, Operand to) {
    copy(null, null, bytes, from, to);
  }

  /** An element at all indices of a shape. */
  public static Operand everywhere(Operand element, long... dims) {
    return new Operand(element.memory(), element.offset(), dims, new long[dims.length]);
  }

  private static void copy(
      @Nullable WorkerPool workers,
      @Nullable BlockMoves blocks,
      int bytes,
      Operand from,
      Operand to) {
    Sweep sweep = new Sweep(RUN, from, to);
    if (sweep.runs() == 0) {
      return;
    }
    int group = WideElements.bytes(sweep, bytes);
    if (group > bytes) {
      Operand source = WideElements.of(sweep, from, 0);
      copy(workers, blocks, group, source, WideElements.of(sweep, to, 1));
      return;
    }
    if (TransposedCopy.fits(sweep, bytes)) {
      new TransposedCopy(sweep, bytes, from, to, blocks).run(workers);
      return;
    }
    if (blocks != null && ShortRows.fit(sweep, bytes, from, to, blocks)) {
      ShortRows.copy(workers, sweep, bytes, from, to, blocks);
      return;
    }
    int axis = longest(sweep);
    int last = sweep.rank() - 1;
    if (sweep.dim(last) < SHORTEST && sweep.dim(axis) >= SHORTEST) {
      int[] order = new int[sweep.rank()];
      Arrays.setAll(order, i -> i == last ? axis : i == axis ? last : i);
      Operand source = axes(sweep, from, 0).axes(order);
      copy(workers, blocks, bytes, source, axes(sweep, to, 1).axes(order));
      return;
    }
    Parallel.run(
        workers,
        sweep.runs(),
        sweep.runLength(),
        (first, end) ->
            sweep.new Walker()
                .walk(
                    first,
                    end,
                    (at, count) ->
                        Copies.run(
                            bytes,
                            from.memory(),
                            at[0],
                            sweep.step(0),
                            to.memory(),
                            at[1],
                            sweep.step(1),
                            count)));
  }

  private static int longest(Sweep sweep) {
    int best = sweep.rank() - 1;
    for (int axis = best; axis >= 0; axis--) {
      best = sweep.dim(axis) > sweep.dim(best) ? axis : best;
    }
    return best;
  }

  /** An operand with the merged axes of a walk. */
  private static Operand axes(Sweep sweep, Operand operand, int index) {
    long[] dims = new long[sweep.rank()];
    long[] strides = new long[dims.length];
    for (int axis = 0; axis < dims.length; axis++) {
      dims[axis] = sweep.dim(axis);
      strides[axis] = sweep.stride(index, axis);
    }
    return new Operand(operand.memory(), operand.offset(), dims, strides);
  }
}
