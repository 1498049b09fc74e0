/**
 * Kernels in plain loops, for contiguous float32 tensors. Each computes its output and returns the
 * number of operations that took. {@link com.example.metering.kernels.MeteringKernels} lists them.
 */
@NullMarked
package com.example.metering.kernels;

import org.jspecify.annotations.NullMarked;
