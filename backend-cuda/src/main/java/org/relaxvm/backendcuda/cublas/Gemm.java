package org.relaxvm.backendcuda.cublas;

import org.relaxvm.api.DType;

/**
 * A product of matrices whose elements lie row by row: {@code c[i, m, n] = sum over k of a[i, m, k]
 * * b[i, k, n]} for each {@code i} of a batch.
 *
 * @param dtype of all three
 * @param turnedA whether {@code a} lies as {@code [k, m]}
 * @param turnedB whether {@code b} lies as {@code [n, k]}
 * @param m rows of the result
 * @param n columns of the result
 * @param k products that are added to each element
 * @param batch how many products
 * @param stepA elements from one matrix {@code a} to the next one; 0 for the same one
 * @param stepB the same of {@code b}
 */
public record Gemm(
    DType dtype,
    boolean turnedA,
    boolean turnedB,
    long m,
    long n,
    long k,
    long batch,
    long stepA,
    long stepB) {
  /** Below so many rows or columns memory is the limit, and own kernels have an epilogue. */
  private static final long FEWEST = 8;

  /** Below so many multiplications a product takes as long as it takes to start it. */
  private static final long LEAST_WORK = 1L << 18;

  /**
   * Whether cuBLAS is used where it is there. That is so for float16, bfloat16, float32 and float64
   * from 8 rows, 8 columns and 2^18 multiplications on, as long as extents have 31 bits.
   */
  public boolean isForLibrary() {
    return CublasCalls.knows(dtype)
        && Math.min(m, n) >= FEWEST
        && Math.max(m, Math.max(n, Math.max(k, batch))) <= Integer.MAX_VALUE
        && k > 0
        && batch > 0
        && (double) m * n * k * batch >= LEAST_WORK;
  }
}
