/** Sequences and optional values. */
@NullMarked
package org.relaxvm.interoponnx.operator.sequence;

import org.jspecify.annotations.NullMarked;
