/** Operators of tabular models, {@code ai.onnx.ml}. */
@NullMarked
package org.relaxvm.interoponnx.operator.ml;

import org.jspecify.annotations.NullMarked;
