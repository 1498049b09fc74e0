/**
 * Looking at programs and changing them: {@link org.relaxvm.compiler.rewrite.ExprVisitor} and
 * {@link org.relaxvm.compiler.rewrite.StructuralEquality}.
 *
 * <p>Source: docs/spec/relax-ir.md, sections 2.2 and 11.
 */
@NullMarked
package org.relaxvm.compiler.rewrite;

import org.jspecify.annotations.NullMarked;
