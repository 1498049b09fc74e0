package org.relaxvm.backendcpu.vector.gemm;

/**
 * The right matrices of a product, in panels. Thread-safe.
 *
 * @param <A> the array type
 */
interface RightMatrices<A> {
  /** The packer of a matrix, for the calling thread. */
  PanelPacker<A> packer(long batch);
}
