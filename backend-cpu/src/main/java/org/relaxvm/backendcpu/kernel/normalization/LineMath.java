package org.relaxvm.backendcpu.kernel.normalization;

/**
 * Vector code for normalizations that compute their own statistics.
 *
 * @param rows passes over lines whose elements are neighbours
 * @param floats passes over lines side by side, of floats of up to 32 bits
 * @param doubles passes over lines side by side, of float64
 */
public record LineMath(FloatRows rows, ColumnMath<float[]> floats, ColumnMath<double[]> doubles) {}
