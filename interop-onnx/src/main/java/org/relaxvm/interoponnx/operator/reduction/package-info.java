/** Operators that go along axes: reductions, positions of extremes, scans, softmax. */
@NullMarked
package org.relaxvm.interoponnx.operator.reduction;

import org.jspecify.annotations.NullMarked;
