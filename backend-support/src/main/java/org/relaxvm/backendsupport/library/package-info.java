/**
 * The kernel library of a GPU: the functions {@code relaxvm.<op>} of {@link
 * org.relaxvm.api.kernels.KernelLibrary}, made of the operators of {@link org.relaxvm.tir.op} when
 * they are called. Start with {@link org.relaxvm.backendsupport.library.GpuLibrary}.
 */
@NullMarked
package org.relaxvm.backendsupport.library;

import org.jspecify.annotations.NullMarked;
