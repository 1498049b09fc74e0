package org.relaxvm.backendcuda.driver;

/** A call of CUDA failed. Never leaves the backend: it becomes an error of the SPI. */
public final class CudaStatusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * A failed call.
   *
   * @param call such as {@code cuMemAlloc}
   * @param code what it gave, such as 2
   * @param name of the code, such as {@code CUDA_ERROR_OUT_OF_MEMORY}
   */
  public CudaStatusException(String call, int code, String name) {
    super(call + " failed with " + name + " (" + code + ")");
    this.code = code;
  }

  /** What the call gave. */
  public int code() {
    return code;
  }
}
