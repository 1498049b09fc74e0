package org.relaxvm.tir.schedule;

import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.Access;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Operations;
import org.relaxvm.tir.analysis.Stages;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.stmt.BufferStore;

/**
 * Computes elements where they are used: those that are used once, and those that cost no more than
 * to store and load them.
 */
public final class InlineProducers {
  private static final long CHEAP_OPERATIONS = 3;
  private static final int CHEAP_LOADS = 2;

  private InlineProducers() {}

  public static PrimFunc in(PrimFunc function, Attempt attempt) {
    PrimFunc now = function;
    for (String block : Stages.of(function)) {
      Nest nest = Nest.of(now, block);
      if (isWorthIt(now, nest)) {
        now = attempt.on(now, schedule -> schedule.inline(block)).orElse(now);
      }
    }
    return now;
  }

  private static boolean isWorthIt(PrimFunc function, Nest nest) {
    if (nest.isReduction()
        || nest.isOpaque()
        || !(nest.block().body() instanceof BufferStore store)
        || function.buffers().contains(store.buffer())) {
      return false;
    }
    Buffer buffer = store.buffer();
    List<Nest> users =
        Stages.of(function).stream()
            .filter(stage -> !stage.equals(nest.name()))
            .map(stage -> Nest.of(function, stage))
            .filter(user -> user.accesses().stream().anyMatch(a -> a.buffer().equals(buffer)))
            .toList();
    if (Operations.count(store.value()) <= CHEAP_OPERATIONS && nest.loads().size() <= CHEAP_LOADS) {
      return true;
    }
    return users.size() == 1 && usesEachOnce(users.getFirst(), buffer);
  }

  /** Whether a block reads the buffer at one place, which is another one at each of its points. */
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
