/** Linear algebra: matmul, GEMM, Einstein sums, determinants. */
@NullMarked
package org.relaxvm.interoponnx.operator.product;

import org.jspecify.annotations.NullMarked;
