/**
 * Operators that compute each element from the elements at the same index: functions of one
 * operand, arithmetic, comparisons and logic of two that are broadcast, activations, conversions.
 *
 * <p>{@link org.relaxvm.compiler.op.elementwise.Elementwise} has them all. Source:
 * docs/spec/op-set.md, sections 2.1 and 2.2.
 */
@NullMarked
package org.relaxvm.compiler.op.elementwise;

import org.jspecify.annotations.NullMarked;
