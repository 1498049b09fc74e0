package org.relaxvm.backendcuda.cublas;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.relaxvm.api.DType;

/**
 * How cuBLAS computes with elements of a dtype: float32 in float32, not in TF32, and float16 and
 * bfloat16 with sums of float32.
 *
 * @param data cudaDataType of the elements
 * @param compute cublasComputeType_t
 * @param scale cudaDataType of the factors that products and results have
 */
record CublasTypes(int data, int compute, int scale) {
  private static final int FLOAT32 = 0;
  private static final int FLOAT64 = 1;

  /** CUBLAS_COMPUTE_32F is without TF32 unless it is asked for. */
  private static final int IN_FLOAT32 = 68;

  private static final int IN_FLOAT64 = 70;

  private static final Map<DType, CublasTypes> ALL =
      Map.of(
          DType.FLOAT32, new CublasTypes(FLOAT32, IN_FLOAT32, FLOAT32),
          DType.FLOAT64, new CublasTypes(FLOAT64, IN_FLOAT64, FLOAT64),
          DType.FLOAT16, new CublasTypes(2, IN_FLOAT32, FLOAT32),
          DType.BFLOAT16, new CublasTypes(14, IN_FLOAT32, FLOAT32));

  static boolean knows(DType dtype) {
    return ALL.containsKey(dtype);
  }

  static CublasTypes of(DType dtype) {
    CublasTypes found = ALL.get(dtype);
    if (found == null) {
      throw new IllegalStateException("no dtype of cuBLAS: " + dtype);
    }
    return found;
  }

  /** A factor. */
  MemorySegment factor(Arena arena, double value) {
    return scale == FLOAT64
        ? arena.allocateFrom(ValueLayout.JAVA_DOUBLE, value)
        : arena.allocateFrom(ValueLayout.JAVA_FLOAT, (float) value);
  }
}
