/** Normalizations. */
@NullMarked
package org.relaxvm.interoponnx.operator.normalization;

import org.jspecify.annotations.NullMarked;
