package org.relaxvm.backendcuda.cublas;

/** A GEMM that is prepared: used at once or not at all, on the thread that prepared it. */
public interface Multiplication {
  /**
   * Enqueues it.
   *
   * @param stream the driver's handle of it
   * @param workspace the address of memory of the device, a multiple of 256, which stays there as
   *     long as the stream has work of this kind
   * @throws org.relaxvm.api.error.BackendException when the library fails
   */
  void enqueue(long stream, long workspace);
}
