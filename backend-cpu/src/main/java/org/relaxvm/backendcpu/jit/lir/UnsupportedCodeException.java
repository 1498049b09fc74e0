package org.relaxvm.backendcpu.jit.lir;

/**
 * Thrown where machine code cannot do what was asked for, with the instructions of the target. The
 * caller takes another path.
 */
public final class UnsupportedCodeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates an exception.
   *
   * @param what the operation and its types
   */
  public UnsupportedCodeException(String what) {
    super("machine code of this processor has no " + what);
  }
}
