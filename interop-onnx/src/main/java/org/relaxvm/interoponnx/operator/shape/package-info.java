/** Operators that make shapes and move elements. */
@NullMarked
package org.relaxvm.interoponnx.operator.shape;

import org.jspecify.annotations.NullMarked;
