package org.relaxvm.api.error;

/**
 * The kind of an error, named as Apache TVM names it, so that programs and test vectors written for
 * either runtime can be compared.
 */
public enum ErrorKind {
  /**
   * A broken invariant of RelaxVM or a backend, or an error to which Apache TVM gives this kind:
   * {@link RelaxException#isInternal()} tells them apart.
   */
  INTERNAL("InternalError"),
  /** A value outside its domain: a wrong rank, dtype, extent or name. */
  VALUE("ValueError"),
  /** A value of the wrong kind. */
  TYPE("TypeError"),
  /** An index outside its range. */
  INDEX("IndexError"),
  /** A condition that only shows while the program runs. */
  RUNTIME("RuntimeError"),
  /** An assertion of the program itself that did not hold. */
  ASSERTION("AssertionError"),
  /** A file that is absent or cannot be read or written. */
  IO("IOError"),
  /** A device or the host has no memory left, or a budget is used up. */
  MEMORY("MemoryError");

  private final String text;

  ErrorKind(String text) {
    this.text = text;
  }

  /** The name as Apache TVM prints it, such as {@code ValueError}. */
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
