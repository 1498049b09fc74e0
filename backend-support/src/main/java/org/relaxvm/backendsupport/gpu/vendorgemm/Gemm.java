package org.relaxvm.backendsupport.gpu.vendorgemm;

import org.relaxvm.api.DType;
import org.relaxvm.tir.analysis.EpilogueFunction;

/**
 * A GEMM of row-major matrices: {@code c[i, m, n] = function(sum over k of a[i, m, k] * b[i, k, n]
 * + bias[n])} for each {@code i} of a batch. Sums of float16 and bfloat16 are float32.
 *
 * @param dtype of all tensors
 * @param transposedA whether {@code a} lies as {@code [k, m]}
 * @param transposedB whether {@code b} lies as {@code [n, k]}
 * @param m rows of the result
 * @param n columns of the result
 * @param k products that are added to each element
 * @param batch how many GEMMs
 * @param stepA elements from one matrix {@code a} to the next one; 0 for the same one
 * @param stepB the same of {@code b}
 * @param hasBias whether there is a bias, which is the same for all rows and GEMMs
 * @param function of each element
 */
public record Gemm(
    DType dtype,
    boolean transposedA,
    boolean transposedB,
    long m,
    long n,
    long k,
    long batch,
    long stepA,
    long stepB,
    boolean hasBias,
    EpilogueFunction function) {

  /** A GEMM without an epilogue. */
  public Gemm(
      DType dtype,
      boolean transposedA,
      boolean transposedB,
      long m,
      long n,
      long k,
      long batch,
      long stepA,
      long stepB) {
    this(
        dtype,
        transposedA,
        transposedB,
        m,
        n,
        k,
        batch,
        stepA,
        stepB,
        false,
        EpilogueFunction.NONE);
  }

  /** The same GEMM with a longer epilogue. */
  public Gemm with(boolean bias, EpilogueFunction epilogue) {
    return new Gemm(dtype, transposedA, transposedB, m, n, k, batch, stepA, stepB, bias, epilogue);
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
  Gemm folded() {
    boolean oneB = batch == 1 || stepB == 0;
    boolean lines = !transposedA && (batch == 1 || stepA == m * k);
    return oneB && lines
        ? new Gemm(dtype, false, transposedB, m * batch, n, k, 1, 0, 0, hasBias, function)
        : this;
  }
}
