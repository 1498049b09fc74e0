package org.relaxvm.cli.measure;

/**
 * How fast a matrix product is with vectors of one width.
 *
 * @param bits of a vector
 * @param gflops billions of operations per second, all threads together; 0 when it did not run
 * @param problem why it did not run; empty when it did
 */
public record WidthSpeed(int bits, double gflops, String problem) {}
