/** Products of matrices, sums over letters, determinants. */
@NullMarked
package org.relaxvm.interoponnx.operator.product;

import org.jspecify.annotations.NullMarked;
