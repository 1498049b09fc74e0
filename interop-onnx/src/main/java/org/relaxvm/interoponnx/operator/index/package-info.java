/** Elements at indices, found by value, and in order. */
@NullMarked
package org.relaxvm.interoponnx.operator.index;

import org.jspecify.annotations.NullMarked;
