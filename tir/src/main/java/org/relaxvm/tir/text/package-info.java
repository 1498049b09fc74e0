/**
 * Kernels as text: a subset of TVMScript, printed and read back without loss. {@link
 * org.relaxvm.tir.text.TirText} is where to start reading.
 *
 * <p>Source: Relax IR, section 12.
 */
@NullMarked
package org.relaxvm.tir.text;

import org.jspecify.annotations.NullMarked;
