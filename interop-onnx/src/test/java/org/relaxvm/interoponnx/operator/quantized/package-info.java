/** Tests of quantized operators and of dtypes of few bits. */
@NullMarked
package org.relaxvm.interoponnx.operator.quantized;

import org.jspecify.annotations.NullMarked;
