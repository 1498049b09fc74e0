package org.relaxvm.backendcpu.rules;

import java.util.Optional;
import java.util.function.Consumer;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.schedule.Schedule;
import org.relaxvm.tir.verify.Verifier;

/** Steps of a schedule, all or none of them. */
final class Attempt {
  private Attempt() {}

  /**
   * The kernel after some steps; empty when one of them is refused, or when it cannot be shown that
   * the turns of a concurrent loop are independent.
   */
  static Optional<PrimFunc> on(PrimFunc function, Consumer<Schedule> steps) {
    Schedule schedule = new Schedule(function);
    try {
      steps.accept(schedule);
      return Verifier.unprovenLoops(schedule.function()).isEmpty()
          ? Optional.of(schedule.function())
          : Optional.empty();
    } catch (InvalidProgramException refused) {
      return Optional.empty();
    }
  }
}
