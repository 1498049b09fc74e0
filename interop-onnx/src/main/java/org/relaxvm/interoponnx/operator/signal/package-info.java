/** Transforms of signals, and random ones. */
@NullMarked
package org.relaxvm.interoponnx.operator.signal;

import org.jspecify.annotations.NullMarked;
