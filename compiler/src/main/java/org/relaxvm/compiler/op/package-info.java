/**
 * What an operator is: {@link org.relaxvm.compiler.op.OpDef} has its name, arguments, attributes,
 * the rule that derives the type of a call, and what kernel computes it. Not here: the operators
 * themselves, which are in the packages below this one, by family.
 *
 * <p>Source: docs/spec/relax-ir.md, section 6.1; docs/spec/op-set.md, section 1.
 */
@NullMarked
package org.relaxvm.compiler.op;

import org.jspecify.annotations.NullMarked;
