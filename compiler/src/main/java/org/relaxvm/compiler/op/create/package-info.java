/**
 * Operators that make tensors of numbers, and triangles of matrices.
 *
 * <p>{@link org.relaxvm.compiler.op.create.Creation} has them all. Source: docs/spec/op-set.md,
 * section 2.3.
 */
@NullMarked
package org.relaxvm.compiler.op.create;

import org.jspecify.annotations.NullMarked;
