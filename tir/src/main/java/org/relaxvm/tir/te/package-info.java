/**
 * Tensor expressions: kernels written as what each element is, without loops. {@link
 * org.relaxvm.tir.te.KernelBuilder} is where to start reading.
 */
@NullMarked
package org.relaxvm.tir.te;

import org.jspecify.annotations.NullMarked;
