package org.relaxvm.backendsupport.gpu.gemm;

/**
 * What a work-group computes at a time.
 *
 * @param rows of the results
 * @param columns of the results
 * @param depth of a slice of the operands
 * @param slots slices in shared memory
 */
record BlockShape(int rows, int columns, int depth, int slots) {}
