/** Products of quantized operands as products of integers of 8 bits. */
@NullMarked
package org.relaxvm.compiler.pass.quantize;

import org.jspecify.annotations.NullMarked;
