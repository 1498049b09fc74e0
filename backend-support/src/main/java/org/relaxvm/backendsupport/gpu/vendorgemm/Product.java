package org.relaxvm.backendsupport.gpu.vendorgemm;

import org.relaxvm.api.DType;
import org.relaxvm.tir.analysis.EpilogueFunction;

/**
 * A product of row-major matrices: {@code c[i, m, n] = function(sum over k of a[i, m, k] * b[i, k,
 * n] + bias[n])} for each {@code i} of a batch. Sums of float16 and bfloat16 are float32.
 *
 * @param dtype of all tensors
 * @param turnedA whether {@code a} lies as {@code [k, m]}
 * @param turnedB whether {@code b} lies as {@code [n, k]}
 * @param m rows of the result
 * @param n columns of the result
 * @param k products that are added to each element
 * @param batch how many products
 * @param stepA elements from one matrix {@code a} to the next one; 0 for the same one
 * @param stepB the same of {@code b}
 * @param hasBias whether there is a bias, which is the same for all rows and products
 * @param function of each element
 */
public record Product(
    DType dtype,
    boolean turnedA,
    boolean turnedB,
    long m,
    long n,
    long k,
    long batch,
    long stepA,
    long stepB,
    boolean hasBias,
    EpilogueFunction function) {

  /** A product and nothing else. */
  public Product(
      DType dtype,
      boolean turnedA,
      boolean turnedB,
      long m,
      long n,
      long k,
      long batch,
      long stepA,
      long stepB) {
    this(dtype, turnedA, turnedB, m, n, k, batch, stepA, stepB, false, EpilogueFunction.NONE);
  }

  /** The same GEMM with a longer epilogue. */
  public Product with(boolean bias, EpilogueFunction behind) {
    return new Product(dtype, turnedA, turnedB, m, n, k, batch, stepA, stepB, bias, behind);
  }

  /** Whether nothing follows the GEMM. */
  public boolean isPlain() {
    return isPlain(hasBias, function);
  }

  /** Whether nothing follows a GEMM. */
  static boolean isPlain(boolean hasBias, EpilogueFunction function) {
    return !hasBias && function == EpilogueFunction.NONE;
  }

  /** The same with fewer, larger matrices where all lines of {@code a} meet one {@code b}. */
  Product folded() {
    boolean oneB = batch == 1 || stepB == 0;
    boolean lines = !turnedA && (batch == 1 || stepA == m * k);
    return oneB && lines
        ? new Product(dtype, false, turnedB, m * batch, n, k, 1, 0, 0, hasBias, function)
        : this;
  }
}
