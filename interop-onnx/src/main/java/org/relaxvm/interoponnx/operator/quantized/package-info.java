/** Operators on quantized tensors, and casts between all dtypes. */
@NullMarked
package org.relaxvm.interoponnx.operator.quantized;

import org.jspecify.annotations.NullMarked;
