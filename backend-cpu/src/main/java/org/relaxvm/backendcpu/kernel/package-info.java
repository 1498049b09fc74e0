/**
 * The kernels of the CPU, for every dtype and stride that the table of the kernel library admits.
 * {@link org.relaxvm.backendcpu.kernel.KernelCall} is what each of them gets.
 */
@NullMarked
package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.NullMarked;
