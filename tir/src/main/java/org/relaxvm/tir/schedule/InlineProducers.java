package org.relaxvm.tir.schedule;

import java.util.List;
import java.util.function.Predicate;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Operations;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.BufferStore;

/**
 * Computes elements where they are used: those that are used once, and those that cost no more than
 * to store and load them.
 */
public final class InlineProducers {
  private static final long CHEAP_OPERATIONS = 3;
  private static final int CHEAP_LOADS = 2;
  private static final long FEW_OPERATIONS = 30;

  private InlineProducers() {}

  /** An unscheduled kernel with such producers inlined. */
  public static PrimFunc in(KernelAnalysis kernel, Attempt attempt) {
    return in(kernel, attempt, _ -> false);
  }

  /**
   * An unscheduled kernel with such producers inlined, and with those whose few operations cost
   * less twice than a store and two loads.
   *
   * @param isFar whether a temporary buffer lies in memory that is slow beside arithmetic
   */
  public static PrimFunc in(KernelAnalysis kernel, Attempt attempt, Predicate<Buffer> isFar) {
    KernelAnalysis now = kernel;
    for (String block : kernel.nests().stream().map(Nest::name).toList()) {
      if (isWorthIt(now, now.nest(block), isFar)) {
        now =
            attempt
                .on(now.kernel(), schedule -> schedule.inline(block))
                .map(KernelAnalysis::of)
                .orElse(now);
      }
    }
    return now.kernel();
  }

  private static boolean isWorthIt(KernelAnalysis kernel, Nest nest, Predicate<Buffer> isFar) {
    if (nest.isReduction()
        || nest.isOpaque()
        || !(nest.block().body() instanceof BufferStore store)
        || kernel.kernel().buffers().contains(store.buffer())) {
      return false;
    }
    Buffer buffer = store.buffer();
    List<Nest> users =
        kernel.nests().stream()
            .filter(user -> !user.name().equals(nest.name()))
            .filter(user -> user.accesses().stream().anyMatch(a -> a.buffer().equals(buffer)))
            .toList();
    long operations = Operations.count(store.value());
    boolean hasFewLoads = nest.loads().size() <= CHEAP_LOADS;
    if (operations <= CHEAP_OPERATIONS && hasFewLoads) {
      return true;
    }
    boolean twice =
        users.size() == 2 && operations <= FEW_OPERATIONS && hasFewLoads && isFar.test(buffer);
    return (users.size() == 1 || twice)
        && users.stream().allMatch(user -> usesEachOnce(user, buffer));
  }

  /** Whether a block reads the buffer at one index, which is another one at each of its points. */
  private static boolean usesEachOnce(Nest user, Buffer buffer) {
    List<Access> uses =
        user.accesses().stream().filter(access -> access.buffer().equals(buffer)).toList();
    return uses.size() == 1
        && user.loops().stream()
            .allMatch(
                loop ->
                    uses.getFirst().indices().stream()
                        .anyMatch(index -> Nest.uses(index, loop.loopVar())));
  }
}
