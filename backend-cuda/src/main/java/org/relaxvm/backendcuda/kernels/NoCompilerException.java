package org.relaxvm.backendcuda.kernels;

/** There is no compiler for a program. Never leaves the backend: it becomes an error of the SPI. */
public final class NoCompilerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A program that cannot be compiled here.
   *
   * @param message why, and what to do: several lines, to follow the name of the program and a
   *     colon
   */
  public NoCompilerException(String message) {
    super(message);
  }
}
