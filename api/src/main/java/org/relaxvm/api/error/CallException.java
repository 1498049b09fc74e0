package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/** A failure while a function runs, or a call with the wrong arguments. */
public class CallException extends RelaxException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with its kind and the text of its first line. */
  public CallException(ErrorKind kind, String summary) {
    super(kind, summary);
  }

  /** Creates the error with its kind, the text of its first line and its cause. */
  public CallException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(kind, summary, cause);
  }

  @Override
  public CallException withTvmMessage(String text) {
    super.withTvmMessage(text);
    return this;
  }
}
