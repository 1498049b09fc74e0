package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/**
 * A program that cannot be bound to devices and functions: a missing function, two providers of one
 * name.
 */
public class LinkException extends RelaxException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with its kind and the text of its first line. */
  public LinkException(ErrorKind kind, String summary) {
    super(kind, summary);
  }

  /** Creates the error with its kind, the text of its first line and its cause. */
  public LinkException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(kind, summary, cause);
  }

  @Override
  public LinkException withTvmMessage(String text) {
    super.withTvmMessage(text);
    return this;
  }
}
