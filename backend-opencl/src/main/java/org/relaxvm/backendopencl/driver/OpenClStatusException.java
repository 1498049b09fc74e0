package org.relaxvm.backendopencl.driver;

/** A call of OpenCL gave a code that means failure. Caught inside of this backend. */
public final class OpenClStatusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int code;

  /**
   * A failed call.
   *
   * @param call the function's name
   * @param code what it gave
   */
  public OpenClStatusException(String call, int code) {
    super(call + " failed with " + StatusNames.of(code));
    this.call = call;
    this.code = code;
  }

  /** The name of the function that failed, such as {@code clFinish}. */
  public String call() {
    return call;
  }

  /** The code, negative. */
  public int code() {
    return code;
  }
}
