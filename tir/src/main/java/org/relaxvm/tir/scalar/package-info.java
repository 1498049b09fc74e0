/**
 * What each scalar operation of kernels gives, exactly, for every dtype: the one place that says
 * so, for evaluators and for generated code. {@link org.relaxvm.tir.scalar.Scalars} is where to
 * start reading; integers have {@link org.relaxvm.tir.expr.IntegerMath} besides.
 *
 * <p>The functions agree with the kernel library's functions of elements, but for the division of
 * integers by 0, which is an error here.
 */
@NullMarked
package org.relaxvm.tir.scalar;

import org.jspecify.annotations.NullMarked;
