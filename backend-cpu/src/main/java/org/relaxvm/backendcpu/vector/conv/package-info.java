/**
 * Convolutions in vector code that need no matrix of the image. Start at {@link
 * org.relaxvm.backendcpu.vector.conv.ConvolutionKernel}.
 */
@NullMarked
package org.relaxvm.backendcpu.vector.conv;

import org.jspecify.annotations.NullMarked;
