/** Operators that compute each element by itself, with broadcasting. */
@NullMarked
package org.relaxvm.interoponnx.operator.elementwise;

import org.jspecify.annotations.NullMarked;
