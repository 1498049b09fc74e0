/**
 * The CUDA backend: devices, streams that record work and copies, and kernels that are compiled at
 * run time. Start with {@link org.relaxvm.backendcuda.CudaDevice}.
 */
@NullMarked
package org.relaxvm.backendcuda;

import org.jspecify.annotations.NullMarked;
