package org.relaxvm.integrationtests.programs;

import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.vmcore.vm.Parallelism;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VmBuilder;

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
      CompileOptions.DEFAULT.withoutFusion().withoutPlan().withScalars(ScalarConvention.INLINE)),
  COMPILED_FUSED_PLANNED_TRAILING(
      CompileOptions.DEFAULT
          .withExecMode(ExecMode.COMPILED)
          .withScalars(ScalarConvention.TRAILING)),
  COMPILED_UNFUSED_UNPLANNED_INLINE(
      CompileOptions.DEFAULT
          .withExecMode(ExecMode.COMPILED)
          .withoutFusion()
          .withoutPlan()
          .withScalars(ScalarConvention.INLINE));

  private final CompileOptions options;

  Mode(CompileOptions options) {
    this.options = options;
  }

  CompileOptions options() {
    return options;
  }

  /**
   * Chooses how the bytecode is executed: compiled or interpreted, in program order or independent
   * calls at the same time; half of the modes each way.
   */
  void execution(VmBuilder builder) {
    boolean isInline = this == FUSED_PLANNED_INLINE || this == UNFUSED_UNPLANNED_INLINE;
    boolean isUnplanned = this == FUSED_UNPLANNED_TRAILING || this == UNFUSED_UNPLANNED_INLINE;
    builder
        .tier(isInline ? Tier.COMPILED : Tier.INTERPRETER)
        .parallelism(isUnplanned ? Parallelism.of(2).always() : Parallelism.of(1));
  }
}
