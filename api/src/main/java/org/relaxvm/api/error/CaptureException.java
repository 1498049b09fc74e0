package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/**
 * A call whose device work cannot be recorded: because of what the call does, or because the device
 * records nothing. The same call without a recording may well succeed.
 */
public class CaptureException extends CallException {
  private static final long serialVersionUID = 1L;

  /** Creates the error, a {@code ValueError}, with the text of its first line. */
  public CaptureException(String summary) {
    super(ErrorKind.VALUE, summary);
  }

  /** Creates the error, a {@code ValueError}, with the text of its first line and its cause. */
  public CaptureException(String summary, @Nullable Throwable cause) {
    super(ErrorKind.VALUE, summary, cause);
  }
}
