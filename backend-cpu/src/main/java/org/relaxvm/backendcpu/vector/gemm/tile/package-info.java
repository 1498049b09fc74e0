/** The innermost pieces of matrix products: sums that stay in registers. */
@NullMarked
package org.relaxvm.backendcpu.vector.gemm.tile;

import org.jspecify.annotations.NullMarked;
