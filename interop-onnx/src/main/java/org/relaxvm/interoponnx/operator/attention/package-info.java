/** Attention, and what surrounds it: masks, caches, rotary embeddings. */
@NullMarked
package org.relaxvm.interoponnx.operator.attention;

import org.jspecify.annotations.NullMarked;
