package org.relaxvm.tir.schedule;

import java.util.Optional;
import java.util.function.Consumer;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.verify.Verifier;

/** How to take steps of a schedule, all or none of them. */
public enum Attempt {
  /** Takes each step that is allowed: whoever gets the kernel shows that its loops are sound. */
  HOPEFUL,

  /**
   * Takes those after which it can be shown that iterations of concurrent loops are independent.
   */
  PROVEN;

  /** The kernel after some steps; empty when they are not taken. */
  public Optional<PrimFunc> on(PrimFunc function, Consumer<Schedule> steps) {
    Schedule schedule = this == HOPEFUL ? Schedule.trusting(function) : new Schedule(function);
    try {
      steps.accept(schedule);
      return this == HOPEFUL || Verifier.unprovenLoops(schedule.function()).isEmpty()
          ? Optional.of(schedule.function())
          : Optional.empty();
    } catch (InvalidProgramException refused) {
      return Optional.empty();
    }
  }
}
