/** Choices and loops. */
@NullMarked
package org.relaxvm.interoponnx.operator.flow;

import org.jspecify.annotations.NullMarked;
