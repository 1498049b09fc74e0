/**
 * Calls functions of the kernel library in the place of kernels that say that they do the same,
 * {@link org.relaxvm.backendcpu.substitution.LibraryCall}, or in the place of some of their stages,
 * {@link org.relaxvm.backendcpu.substitution.SplitKernel}.
 */
@NullMarked
package org.relaxvm.backendcpu.substitution;

import org.jspecify.annotations.NullMarked;
