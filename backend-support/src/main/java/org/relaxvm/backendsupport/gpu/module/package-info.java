/**
 * Loads modules of the kernel IR on a GPU and launches their kernels. A backend implements {@link
 * org.relaxvm.backendsupport.gpu.module.GpuDriver}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.module;

import org.jspecify.annotations.NullMarked;
