/**
 * Rules about types: whether a value of one type may stand where another is expected ({@link
 * org.relaxvm.compiler.type.check.BaseCheck}), what two types have in common, what a call gives,
 * and what is left of a type where symbolic variables are not known.
 *
 * <p>Source: docs/spec/relax-ir.md, section 8.
 */
@NullMarked
package org.relaxvm.compiler.type.check;

import org.jspecify.annotations.NullMarked;
