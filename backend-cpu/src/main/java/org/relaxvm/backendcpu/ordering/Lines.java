package org.relaxvm.backendcpu.ordering;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/** The lines of two operands along some of their axes, side by side. */
final class Lines {
  private static final int LONGEST_RUN = 256;
  private static final long PIECE = 1 << 14;

  private final Sweep sweep;
  private final long cost;

  /** Takes a line of each operand. */
  @FunctionalInterface
  interface Task {
    /** Called with the offsets of the first elements, in bytes. */
    void run(long firstAt, long secondAt);
  }

  /**
   * The lines.
   *
   * @param first at index 0 along the axes of its lines, without these axes
   * @param second likewise, of the same shape
   * @param cost of a line in simple operations
   */
  Lines(Operand first, Operand second, long cost) {
    this.cost = Math.max(1, cost);
    this.sweep = new Sweep(Math.clamp(PIECE / this.cost, 1, LONGEST_RUN), first, second);
  }

  /** The axes of an operand along which its lines do not go. */
  static int[] except(int rank, int axis) {
    return IntStream.range(0, rank).filter(each -> each != axis).toArray();
  }

  /** All axes of an operand. */
  static int[] all(int rank) {
    int[] axes = new int[rank];
    Arrays.setAll(axes, axis -> axis);
    return axes;
  }

  /**
   * Visits all lines.
   *
   * @param tasks makes the task of a thread
   */
  void forEach(KernelCall call, Supplier<Task> tasks) {
    Parallel.run(
        call.workers(),
        sweep.runs(),
        cost * sweep.runLength(),
        (from, to) -> {
          Task task = tasks.get();
          sweep.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    for (int i = 0; i < count; i++) {
                      task.run(at[0] + i * sweep.step(0), at[1] + i * sweep.step(1));
                    }
                  });
        });
  }
}
