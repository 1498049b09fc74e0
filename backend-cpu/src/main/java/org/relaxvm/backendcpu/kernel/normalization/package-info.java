/** Softmax and the normalizations. Start reading at {@code NormalizationKernels}. */
@NullMarked
package org.relaxvm.backendcpu.kernel.normalization;

import org.jspecify.annotations.NullMarked;
