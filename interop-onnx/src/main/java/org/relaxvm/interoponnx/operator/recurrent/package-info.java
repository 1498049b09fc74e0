/** Recurrent layers. */
@NullMarked
package org.relaxvm.interoponnx.operator.recurrent;

import org.jspecify.annotations.NullMarked;
