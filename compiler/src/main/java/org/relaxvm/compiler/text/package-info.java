/**
 * The text form of Relax modules: {@link org.relaxvm.compiler.text.RelaxText} reads and prints it.
 * It looks like Python, and holds what Apache TVM prints, in its spelling of 2023 and of 2026. Not
 * here: kernels, whose text {@code org.relaxvm.tir.text} reads where a module has one.
 *
 * <p>Source: docs/spec/relax-ir.md, section 12.
 */
@NullMarked
package org.relaxvm.compiler.text;

import org.jspecify.annotations.NullMarked;
