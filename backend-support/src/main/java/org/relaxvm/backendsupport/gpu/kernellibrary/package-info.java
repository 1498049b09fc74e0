/**
 * The kernel library of GPUs: implements the functions {@code relaxvm.<op>} of {@link
 * org.relaxvm.api.kernels.KernelLibrary} with kernels of {@link org.relaxvm.tir.library} that are
 * compiled at their first call. Start at {@link
 * org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.kernellibrary;

import org.jspecify.annotations.NullMarked;
