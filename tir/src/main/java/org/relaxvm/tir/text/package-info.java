/**
 * Kernels as text: a subset of TVMScript, printed and read back without loss. {@link
 * org.relaxvm.tir.text.TirText} is where to start reading; {@link
 * org.relaxvm.tir.text.EmbeddedText} is for kernels inside larger texts, whose words a {@link
 * org.relaxvm.tir.text.TokenStream} gives.
 *
 * <p>Source: docs/spec/relax-ir.md, section 12.
 */
@NullMarked
package org.relaxvm.tir.text;

import org.jspecify.annotations.NullMarked;
