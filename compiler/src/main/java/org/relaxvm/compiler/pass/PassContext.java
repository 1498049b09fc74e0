package org.relaxvm.compiler.pass;

/**
 * What all passes of a compilation go by. Immutable.
 *
 * @param scalars how sizes that no tensor says reach kernels
 * @param maxFuseDepth the number of bindings that become one kernel at most
 */
public record PassContext(ScalarConvention scalars, int maxFuseDepth) {
  /** What is used unless something else is said. */
  public static final PassContext DEFAULT = new PassContext(ScalarConvention.INLINE, 256);

  /** The same with another convention for sizes. */
  public PassContext withScalars(ScalarConvention convention) {
    return new PassContext(convention, maxFuseDepth);
  }

  /** The same with another limit for groups. */
  public PassContext withMaxFuseDepth(int depth) {
    return new PassContext(scalars, depth);
  }
}
