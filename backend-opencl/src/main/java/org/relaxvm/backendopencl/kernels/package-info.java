/** Kernels of the kernel IR on devices of OpenCL. */
@NullMarked
package org.relaxvm.backendopencl.kernels;

import org.jspecify.annotations.NullMarked;
