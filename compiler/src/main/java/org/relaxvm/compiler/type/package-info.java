/**
 * What is known of a value before the program runs: its kind, its dtype, its shape, which may be
 * symbolic. {@link org.relaxvm.compiler.type.Type} is where to start reading. Not here: rules that
 * compare and derive types, which are in {@code org.relaxvm.compiler.type.check}.
 *
 * <p>Apache TVM called a type "struct info" before 2026. Source: docs/spec/relax-ir.md, section 4.
 */
@NullMarked
package org.relaxvm.compiler.type;

import org.jspecify.annotations.NullMarked;
