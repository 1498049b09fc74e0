/**
 * What rules of operators of several families share: operands and their dtypes, axes, extents,
 * broadcasting. Not here: the operators, which are in the packages beside this one.
 *
 * <p>Rules refuse only what is certainly wrong, and know less of the result where they know less of
 * the arguments. Source: docs/spec/op-set.md, section 1.
 */
@NullMarked
package org.relaxvm.compiler.op.typerule;

import org.jspecify.annotations.NullMarked;
