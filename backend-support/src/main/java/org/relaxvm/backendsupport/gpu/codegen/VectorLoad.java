package org.relaxvm.backendsupport.gpu.codegen;

import org.relaxvm.api.DType;

/**
 * A load of adjacent elements in memory of the device, into an array of a work-item from its start
 * on.
 *
 * @param dtype of the elements
 * @param lanes how many, a power of two
 * @param array in memory of the device
 * @param index of the first; it may be any
 * @param registers the array of the work-item, which no other load of the same statements has
 */
public record VectorLoad(DType dtype, int lanes, String array, String index, String registers) {}
