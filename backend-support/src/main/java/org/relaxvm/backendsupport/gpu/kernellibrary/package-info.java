/**
 * The kernel library of GPUs: implements the functions {@code relaxvm.<op>} of {@link
 * org.relaxvm.api.kernels.KernelLibrary} with kernels that are compiled from the operators of
 * {@link org.relaxvm.tir.op} at their first call. Start at {@link
 * org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.kernellibrary;

import org.jspecify.annotations.NullMarked;
