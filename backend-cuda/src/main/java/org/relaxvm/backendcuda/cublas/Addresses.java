package org.relaxvm.backendcuda.cublas;

/**
 * Addresses of the first elements of the tensors of a GEMM.
 *
 * @param bias 0 when there is none
 */
public record Addresses(long a, long b, long bias, long out) {
  /** What algorithms may ask of addresses at most. */
  private static final long MOST = 256;

  /** The powers of two that they are multiples of, as far as algorithms may ask. */
  Addresses alignments() {
    return new Addresses(alignment(a), alignment(b), alignment(bias), alignment(out));
  }

  private static long alignment(long address) {
    return address == 0 ? MOST : Math.min(MOST, Long.lowestOneBit(address));
  }
}
