/** Lowers kernels of the kernel IR to launches on the threads of a GPU. */
@NullMarked
package org.relaxvm.backendsupport.gpu;

import org.jspecify.annotations.NullMarked;
