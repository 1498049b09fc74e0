package org.relaxvm.compiler.pass;

/**
 * Settings shared by all passes of a compilation. Immutable.
 *
 * @param scalars how kernels get sizes that no tensor carries
 * @param maxFuseDepth the maximum number of bindings in one kernel
 * @param errorContexts whether checks of shapes and types get a text that says which part of the
 *     program they belong to
 */
public record PassContext(ScalarConvention scalars, int maxFuseDepth, boolean errorContexts) {
  /** The default settings. */
  public static final PassContext DEFAULT = new PassContext(ScalarConvention.INLINE, 256, true);

  /** The same with another calling convention for sizes. */
  public PassContext withScalars(ScalarConvention convention) {
    return new PassContext(convention, maxFuseDepth, errorContexts);
  }

  /** The same with another limit for fusion groups. */
  public PassContext withMaxFuseDepth(int depth) {
    return new PassContext(scalars, depth, errorContexts);
  }

  /** The same with or without texts in checks. */
  public PassContext withErrorContexts(boolean emitted) {
    return new PassContext(scalars, maxFuseDepth, emitted);
  }
}
