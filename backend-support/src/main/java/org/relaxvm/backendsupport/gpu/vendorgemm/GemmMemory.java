package org.relaxvm.backendsupport.gpu.vendorgemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument.Memory;

/**
 * The memory of the tensors of a GEMM: memory of one device, borrowed until the work is done.
 *
 * @param a starts with the first element
 * @param b starts with the first element
 * @param bias starts with the first element; null when the GEMM has none
 * @param out where the result is written, apart from all others
 */
public record GemmMemory(Memory a, Memory b, @Nullable Memory bias, Memory out) {}
