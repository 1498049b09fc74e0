/** Operators whose windows go over spatial axes: convolutions and pools. */
@NullMarked
package org.relaxvm.interoponnx.operator.window;

import org.jspecify.annotations.NullMarked;
