package org.relaxvm.backendcuda.kernels;

/** A compiler refused a program. Never leaves the backend: it becomes an error of the SPI. */
public final class CompileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String log;

  /**
   * A refused program.
   *
   * @param message one line
   * @param log all that the compiler printed; empty when it was silent
   */
  public CompileException(String message, String log) {
    super(message);
    this.log = log;
  }

  /** All that the compiler printed. */
  public String log() {
    return log;
  }
}
