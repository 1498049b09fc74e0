/** Random numbers. */
@NullMarked
package org.relaxvm.interoponnx.operator.random;

import org.jspecify.annotations.NullMarked;
