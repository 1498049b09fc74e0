/**
 * Operators that calls, memory and values of a program need beside arithmetic: calls of kernels and
 * packed functions, closures, shapes as values, allocation. Not here: operators on tensors.
 *
 * <p>Source: docs/spec/relax-ir.md, section 6.2.
 */
@NullMarked
package org.relaxvm.compiler.op.core;

import org.jspecify.annotations.NullMarked;
