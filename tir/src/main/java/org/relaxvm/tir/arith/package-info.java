/**
 * Simplifies and proves things about index arithmetic: what an expression comes to, between which
 * bounds it lies, what divides it. Begin with {@link org.relaxvm.tir.arith.Analyzer}.
 *
 * <p>Integer expressions become polynomials over atoms: variables and all operations that are not
 * sums or products. Nothing here searches without a bound: what cannot be shown quickly counts as
 * not shown.
 */
@NullMarked
package org.relaxvm.tir.arith;

import org.jspecify.annotations.NullMarked;
