/** Layers that carry a state along a sequence. */
@NullMarked
package org.relaxvm.interoponnx.operator.recurrent;

import org.jspecify.annotations.NullMarked;
