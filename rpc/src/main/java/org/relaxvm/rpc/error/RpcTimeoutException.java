package org.relaxvm.rpc.error;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;

/** A time limit passed: of connecting, of an answer, or of the session. The session is closed. */
public final class RpcTimeoutException extends RpcException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with the text of its first line. */
  public RpcTimeoutException(String summary) {
    this(summary, null);
  }

  /** Creates the error with the text of its first line and its cause. */
  public RpcTimeoutException(String summary, @Nullable Throwable cause) {
    super(ErrorKind.RUNTIME, summary, cause);
  }
}
