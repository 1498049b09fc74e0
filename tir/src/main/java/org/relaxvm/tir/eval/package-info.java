/**
 * The reference evaluator of kernels: slow, plain, and strict about every index. What it gives is
 * the truth for every code generator. {@link org.relaxvm.tir.eval.Evaluator} is where to start
 * reading; what an operation on scalars gives is in {@code org.relaxvm.tir.scalar}.
 */
@NullMarked
package org.relaxvm.tir.eval;

import org.jspecify.annotations.NullMarked;
