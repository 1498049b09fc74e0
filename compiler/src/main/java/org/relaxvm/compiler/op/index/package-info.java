/**
 * Operators that read elements at indices or write them there: takes, slices, scatters, searches.
 *
 * <p>{@link org.relaxvm.compiler.op.index.Indexing} has them all. Source: docs/spec/op-set.md,
 * section 2.5.
 */
@NullMarked
package org.relaxvm.compiler.op.index;

import org.jspecify.annotations.NullMarked;
