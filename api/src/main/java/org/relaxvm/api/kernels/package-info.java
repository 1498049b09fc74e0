/**
 * The kernel library: which {@code relaxvm.<op>} functions devices bring, and how they are called.
 * Start at {@link org.relaxvm.api.kernels.KernelLibrary}; the kernels themselves are in the
 * backends.
 */
@NullMarked
package org.relaxvm.api.kernels;

import org.jspecify.annotations.NullMarked;
