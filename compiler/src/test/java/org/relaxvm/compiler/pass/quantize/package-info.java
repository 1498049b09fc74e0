/** Tests of the pass for quantized products. */
@NullMarked
package org.relaxvm.compiler.pass.quantize;

import org.jspecify.annotations.NullMarked;
