package org.relaxvm.compiler.pass;

/**
 * Settings shared by all passes of a compilation. Immutable.
 *
 * @param scalars how kernels get sizes that no tensor carries
 * @param maxFuseDepth the maximum number of bindings in one kernel
 */
public record PassContext(ScalarConvention scalars, int maxFuseDepth) {
  /** The default settings. */
  public static final PassContext DEFAULT = new PassContext(ScalarConvention.INLINE, 256);

  /** The same with another calling convention for sizes. */
  public PassContext withScalars(ScalarConvention convention) {
    return new PassContext(convention, maxFuseDepth);
  }

  /** The same with another limit for fusion groups. */
  public PassContext withMaxFuseDepth(int depth) {
    return new PassContext(scalars, depth);
  }
}
