/**
 * The slow reference evaluator of programs, which the compiler is compared with: {@link
 * org.relaxvm.compiler.eval.RelaxEvaluator} runs a module as it is written, one binding after the
 * other and one element of a kernel after the other. Passes and code are compared with what it
 * gives.
 */
@NullMarked
package org.relaxvm.compiler.eval;

import org.jspecify.annotations.NullMarked;
