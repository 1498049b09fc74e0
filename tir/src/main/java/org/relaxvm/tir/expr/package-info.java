/**
 * Scalar expressions: index arithmetic and what kernels compute for an element. Immutable. {@link
 * org.relaxvm.tir.expr.Exprs} makes them.
 */
@NullMarked
package org.relaxvm.tir.expr;

import org.jspecify.annotations.NullMarked;
