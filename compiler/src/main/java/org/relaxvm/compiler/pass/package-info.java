/**
 * What passes are made of: {@link org.relaxvm.compiler.pass.Pass}, the base of those that rewrite
 * functions, and {@link org.relaxvm.compiler.pass.PassPipeline}, which runs them. Not here: the
 * passes, which are in the packages below this one.
 *
 * <p>Source: docs/spec/relax-ir.md, section 11.
 */
@NullMarked
package org.relaxvm.compiler.pass;

import org.jspecify.annotations.NullMarked;
