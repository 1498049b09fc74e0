package org.relaxvm.rpc.error;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;

/** The connection ended before an answer came, or the session is closed. */
public final class RpcDisconnectedException extends RpcException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with the text of its first line. */
  public RpcDisconnectedException(String summary) {
    this(summary, null);
  }

  /** Creates the error with the text of its first line and its cause. */
  public RpcDisconnectedException(String summary, @Nullable Throwable cause) {
    super(ErrorKind.RUNTIME, summary, cause);
  }
}
