package org.relaxvm.integrationtests.programs;

import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.vmcore.vm.Tier;

/**
 * Ways to compile. There are three choices of two; each pair of choices of two of them is in one of
 * the modes.
 */
enum Mode {
  FUSED_PLANNED_INLINE(CompileOptions.DEFAULT.withScalars(ScalarConvention.INLINE)),
  FUSED_UNPLANNED_TRAILING(
      CompileOptions.DEFAULT.withoutPlan().withScalars(ScalarConvention.TRAILING)),
  UNFUSED_PLANNED_TRAILING(
      CompileOptions.DEFAULT.withoutFusion().withScalars(ScalarConvention.TRAILING)),
  UNFUSED_UNPLANNED_INLINE(
      CompileOptions.DEFAULT.withoutFusion().withoutPlan().withScalars(ScalarConvention.INLINE));

  private final CompileOptions options;

  Mode(CompileOptions options) {
    this.options = options;
  }

  CompileOptions options() {
    return options;
  }

  /** How the bytecode is executed: half of the modes each way. */
  Tier tier() {
    return this == FUSED_PLANNED_INLINE || this == UNFUSED_UNPLANNED_INLINE
        ? Tier.COMPILED
        : Tier.INTERPRETER;
  }
}
