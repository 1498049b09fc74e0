/** Turns kernels of the kernel IR into launches on the threads of a GPU. */
@NullMarked
package org.relaxvm.backendsupport.gpu;

import org.jspecify.annotations.NullMarked;
