package org.relaxvm.compiler.pass;

/**
 * Settings shared by all passes of a compilation. Immutable.
 *
 * @param scalars how kernels get sizes that no tensor carries
 * @param maxFuseDepth the maximum number of bindings in one kernel
 * @param errorContexts whether checks of shapes and types get a text that says which part of the
 *     program they belong to
 * @param plansForParallelism whether tensors share memory only where that keeps no calls from
 *     running at the same time
 */
public record PassContext(
    ScalarConvention scalars,
    int maxFuseDepth,
    boolean errorContexts,
    boolean plansForParallelism) {
  /** The default settings. */
  public static final PassContext DEFAULT =
      new PassContext(ScalarConvention.INLINE, 256, true, false);

  /** The same with another calling convention for sizes. */
  public PassContext withScalars(ScalarConvention convention) {
    return new PassContext(convention, maxFuseDepth, errorContexts, plansForParallelism);
  }

  /** The same with another limit for fusion groups. */
  public PassContext withMaxFuseDepth(int depth) {
    return new PassContext(scalars, depth, errorContexts, plansForParallelism);
  }

  /** The same with or without texts in checks. */
  public PassContext withErrorContexts(boolean emitted) {
    return new PassContext(scalars, maxFuseDepth, emitted, plansForParallelism);
  }

  /** The same with or without memory that is shared by calls that could run at the same time. */
  public PassContext withParallelism(boolean kept) {
    return new PassContext(scalars, maxFuseDepth, errorContexts, kept);
  }
}
