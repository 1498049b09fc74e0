/** The language of CUDA C, and its compilers. */
@NullMarked
package org.relaxvm.backendcuda.kernels;

import org.jspecify.annotations.NullMarked;
