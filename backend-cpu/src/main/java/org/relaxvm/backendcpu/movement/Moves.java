package org.relaxvm.backendcpu.movement;

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

  private Moves() {}

  /** Copies elements of the size of the call's output, with the call's threads. */
  public static void run(KernelCall call, Operand from, Operand to) {
    copy(call.workers(), call.blocks(), call.output().dtype().elementByteSize(), from, to);
  }

  /** Copies elements of so many bytes in this thread. */
  public static void inThisThread(int bytes, Operand from, Operand to) {
    copy(null, null, bytes, from, to);
  }

  /** An element in all places of a shape. */
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
}
