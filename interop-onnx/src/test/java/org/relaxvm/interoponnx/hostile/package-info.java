/** Models that were damaged, or made to do harm. */
@NullMarked
package org.relaxvm.interoponnx.hostile;

import org.jspecify.annotations.NullMarked;
