package org.relaxvm.api.kernels;

/** Whether a library kernel may write where it reads. */
public enum Aliasing {
  /** The output must not overlap any input. */
  FORBIDDEN("`out` must not overlap an input"),
  /** The output may be the very elements of an input: same start, shape, strides and dtype size. */
  SAME_ELEMENTS(
      "`out` may be the very elements of an input (same start, shape, strides and element size);"
          + " any other overlap is forbidden");

  private final String text;

  Aliasing(String text) {
    this.text = text;
  }

  /** The rule as a clause for documents. */
  public String text() {
    return text;
  }
}
