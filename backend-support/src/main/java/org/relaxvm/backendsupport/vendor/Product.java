package org.relaxvm.backendsupport.vendor;

import org.relaxvm.api.DType;

/**
 * A product of matrices whose elements lie row by row: {@code c[i, m, n] = sum over k of a[i, m, k]
 * * b[i, k, n]} for each {@code i} of a batch. Sums of float16 and bfloat16 are float32.
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
public record Product(
    DType dtype,
    boolean turnedA,
    boolean turnedB,
    long m,
    long n,
    long k,
    long batch,
    long stepA,
    long stepB) {

  /** The same with fewer, larger matrices where all lines of {@code a} meet one {@code b}. */
  Product folded() {
    boolean oneB = batch == 1 || stepB == 0;
    boolean lines = !turnedA && (batch == 1 || stepA == m * k);
    return oneB && lines ? new Product(dtype, false, turnedB, m * batch, n, k, 1, 0, 0) : this;
  }
}
