package org.relaxvm.backendcpu.invocation;

import org.relaxvm.api.Tensor;

/**
 * A tensor that a kernel works on.
 *
 * @param tensor borrowed for the call
 * @param writes whether the kernel writes it
 */
public record Argument(Tensor tensor, boolean writes) {}
