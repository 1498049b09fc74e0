package org.relaxvm.backendcpu.rules;

import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.schedule.Schedule;

/** A way to schedule one stage of a kernel: one block in the loops that it was written with. */
interface Rule {
  /** Whether it is meant for a stage. */
  boolean fits(Nest nest);

  /**
   * Arranges the loops of a stage. What a primitive refuses is no harm: the stage then stays as it
   * is, and the next rule is tried.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when a primitive refuses
   */
  void apply(Schedule schedule, Nest nest);
}
