package org.relaxvm.backendsupport.gpu.vendorgemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument.Memory;

/**
 * Where the tensors of a product lie: memory of one device, borrowed until the work is done.
 *
 * @param a starts with the first element
 * @param b starts with the first element
 * @param bias starts with the first element; null when the product has none
 * @param out where the result is written, apart from all others
 */
public record ProductPlaces(Memory a, Memory b, @Nullable Memory bias, Memory out) {}
