package org.relaxvm.backendcpu.kernel.normalization;

/**
 * Vector code for normalizations that compute their own statistics.
 *
 * @param rows passes over lines whose elements are neighbours, of floats of up to 32 bits
 * @param doubleRows passes over lines whose elements are neighbours, of float64
 * @param floats passes over lines side by side, of floats of up to 32 bits
 * @param doubles passes over lines side by side, of float64
 */
public record LineMath(
    FloatRows rows,
    DoubleRows doubleRows,
    ColumnMath<float[]> floats,
    ColumnMath<double[]> doubles) {}
