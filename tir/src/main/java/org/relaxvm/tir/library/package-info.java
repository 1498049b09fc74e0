/**
 * The functions {@code relaxvm.<op>} of {@link org.relaxvm.api.kernels.KernelLibrary} as kernels: a
 * formula builds the kernel of a call from the operators of {@link org.relaxvm.tir.op}. Start at
 * {@link org.relaxvm.tir.library.LibraryFormula}.
 */
@NullMarked
package org.relaxvm.tir.library;

import org.jspecify.annotations.NullMarked;
