/**
 * Calls kernels of the kernel IR on a device. A backend implements {@link
 * org.relaxvm.backendsupport.gpu.run.GpuDriver}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.run;

import org.jspecify.annotations.NullMarked;
