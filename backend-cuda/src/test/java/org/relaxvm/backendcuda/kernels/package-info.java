/** Tests of the language of CUDA C and of its compilers. */
@NullMarked
package org.relaxvm.backendcuda.kernels;

import org.jspecify.annotations.NullMarked;
