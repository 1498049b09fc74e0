/**
 * What a call of a kernel costs, whatever runs it: bytes and operations. {@link
 * org.relaxvm.tir.cost.CostModel} counts for kernels of the kernel IR, {@link
 * org.relaxvm.tir.cost.LibraryCost} for functions of the kernel library.
 */
@NullMarked
package org.relaxvm.tir.cost;

import org.jspecify.annotations.NullMarked;
