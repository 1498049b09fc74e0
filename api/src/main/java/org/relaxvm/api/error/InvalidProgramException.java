package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/** A well-formed program that breaks a rule, found by the verifier or by a builder's check. */
public class InvalidProgramException extends RelaxException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with its kind and the text of its first line. */
  public InvalidProgramException(ErrorKind kind, String summary) {
    super(kind, summary);
  }

  /** Creates the error with its kind, the text of its first line and its cause. */
  public InvalidProgramException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(kind, summary, cause);
  }

  @Override
  public InvalidProgramException withTvmMessage(String text) {
    super.withTvmMessage(text);
    return this;
  }
}
