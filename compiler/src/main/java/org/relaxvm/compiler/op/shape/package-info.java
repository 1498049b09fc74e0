/**
 * Operators that give elements another order or shape, join tensors and take them apart.
 *
 * <p>{@link org.relaxvm.compiler.op.shape.ShapeChanges} has them all. Not here: shapes as values
 * ({@code shape_of} and so on) and views of memory, which are in {@link
 * org.relaxvm.compiler.op.core}. Source: docs/spec/op-set.md, section 2.4.
 */
@NullMarked
package org.relaxvm.compiler.op.shape;

import org.jspecify.annotations.NullMarked;
