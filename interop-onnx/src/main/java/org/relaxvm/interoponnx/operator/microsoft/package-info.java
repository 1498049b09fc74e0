/** Operators of the domain {@code com.microsoft}, which ONNX Runtime added. */
@NullMarked
package org.relaxvm.interoponnx.operator.microsoft;

import org.jspecify.annotations.NullMarked;
