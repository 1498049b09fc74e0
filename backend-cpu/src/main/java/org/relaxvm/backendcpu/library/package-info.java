/**
 * Functions of the kernel library as machine code: kernels of {@link org.relaxvm.tir.library} that
 * are scheduled and compiled at their first call. Start at {@link
 * org.relaxvm.backendcpu.library.FormulaLibrary}.
 */
@NullMarked
package org.relaxvm.backendcpu.library;

import org.jspecify.annotations.NullMarked;
