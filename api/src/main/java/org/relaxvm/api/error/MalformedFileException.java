package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/**
 * A file or byte string that does not follow its format: truncated, a wrong magic, an unknown
 * version.
 */
public class MalformedFileException extends RelaxException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with its kind and the text of its first line. */
  public MalformedFileException(ErrorKind kind, String summary) {
    super(kind, summary);
  }

  /** Creates the error with its kind, the text of its first line and its cause. */
  public MalformedFileException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(kind, summary, cause);
  }

  @Override
  public MalformedFileException withTvmMessage(String text) {
    super.withTvmMessage(text);
    return this;
  }
}
