/**
 * Operators as tensor expressions: each method adds the stages of one operator to a kernel and
 * gives its result. Index maps are in {@code org.relaxvm.tir.op.layout}.
 *
 * <p>Extents may be symbolic everywhere. An operator checks what it can show: a violation that only
 * a run can tell, such as an index out of bounds, is found when the kernel runs. All classes are
 * stateless; a {@link org.relaxvm.tir.te.KernelBuilder} is for one thread.
 *
 * <p>Source: docs/spec/op-set.md, sections 2 and 3.
 */
@NullMarked
package org.relaxvm.tir.op;

import org.jspecify.annotations.NullMarked;
