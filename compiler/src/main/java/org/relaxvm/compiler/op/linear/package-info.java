/**
 * Operators of linear algebra: {@link org.relaxvm.compiler.op.linear.Linear} has the definitions
 * and, for people, functions that make calls.
 *
 * <p>Source: docs/spec/op-set.md, section 2.7.
 */
@NullMarked
package org.relaxvm.compiler.op.linear;

import org.jspecify.annotations.NullMarked;
