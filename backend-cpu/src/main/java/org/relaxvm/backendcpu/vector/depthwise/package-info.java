/**
 * Convolutions of each channel alone, in vector code. Start at {@link
 * org.relaxvm.backendcpu.vector.depthwise.DepthwiseKernel}.
 */
@NullMarked
package org.relaxvm.backendcpu.vector.depthwise;

import org.jspecify.annotations.NullMarked;
