package org.relaxvm.backendcuda.driver;

import jcuda.driver.CUresult;

/** A call of CUDA failed. Never leaves the backend: it becomes an error of the SPI. */
public final class CudaStatusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String log;

  /**
   * A failed call.
   *
   * @param call such as {@code cuMemAlloc}
   * @param code what it gave, such as 2
   * @param name of the code, such as {@code CUDA_ERROR_OUT_OF_MEMORY}
   * @param log what the driver's compiler said; empty when it was silent or not asked
   */
  public CudaStatusException(String call, int code, String name, String log) {
    super(call + " failed with " + name + " (" + code + ")");
    this.code = code;
    this.log = log;
  }

  /** A failed call in which nothing was compiled. */
  public CudaStatusException(String call, int code, String name) {
    this(call, code, name, "");
  }

  /** A failed call whose code has the name that the driver's header gives it. */
  public static CudaStatusException of(String call, int code, String log) {
    String name = CUresult.stringFor(code);
    // It says so of codes that it does not know.
    return new CudaStatusException(
        call, code, name.startsWith("CUDA_") ? name : "an unknown code", log);
  }

  /** What the call gave. */
  public int code() {
    return code;
  }

  /** What the driver's compiler said of PTX; empty when it was silent or not asked. */
  public String log() {
    return log;
  }
}
