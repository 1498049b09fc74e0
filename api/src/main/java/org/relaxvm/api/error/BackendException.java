package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/** A device, driver or backend jar that cannot be used, with the reason and the remedy. */
public class BackendException extends RelaxException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with its kind and the text of its first line. */
  public BackendException(ErrorKind kind, String summary) {
    super(kind, summary);
  }

  /** Creates the error with its kind, the text of its first line and its cause. */
  public BackendException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(kind, summary, cause);
  }
}
