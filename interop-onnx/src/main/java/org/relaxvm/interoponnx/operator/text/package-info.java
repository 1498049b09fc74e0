/** Operators of strings. */
@NullMarked
package org.relaxvm.interoponnx.operator.text;

import org.jspecify.annotations.NullMarked;
