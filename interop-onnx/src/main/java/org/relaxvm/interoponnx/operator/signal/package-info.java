/** Transforms of signals. */
@NullMarked
package org.relaxvm.interoponnx.operator.signal;

import org.jspecify.annotations.NullMarked;
