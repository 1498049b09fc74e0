/**
 * Calls functions of the kernel library instead of kernels that say that they do the same, {@link
 * org.relaxvm.backendcpu.substitution.LibraryCall}, or instead of some of their stages, {@link
 * org.relaxvm.backendcpu.substitution.SplitKernel}.
 */
@NullMarked
package org.relaxvm.backendcpu.substitution;

import org.jspecify.annotations.NullMarked;
