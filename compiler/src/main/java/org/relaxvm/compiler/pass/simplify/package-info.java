/**
 * Passes over whole programs that know nothing of kernels' insides: they remove what is not needed,
 * evaluate what is known, share what is computed twice, and bring programs into the form that later
 * passes expect. Each pass is a class of its own name, such as {@link
 * org.relaxvm.compiler.pass.simplify.DeadCodeElimination}.
 *
 * <p>Source: docs/spec/passes.md, sections 4 and 15 to 19.
 */
@NullMarked
package org.relaxvm.compiler.pass.simplify;

import org.jspecify.annotations.NullMarked;
