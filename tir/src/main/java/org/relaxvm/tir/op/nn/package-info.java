/**
 * Operators of neural networks as tensor expressions: products, convolutions, pools,
 * normalizations, attention, resizing. float16 and bfloat16 are summed as float32 and rounded once.
 *
 * <p>Source: docs/spec/op-set.md, sections 2.7 to 2.9 and 3.3 to 3.6.
 */
@NullMarked
package org.relaxvm.tir.op.nn;

import org.jspecify.annotations.NullMarked;
