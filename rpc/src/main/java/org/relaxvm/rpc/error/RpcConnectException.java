package org.relaxvm.rpc.error;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;

/** No session was opened: the peer is absent, refuses the key, or is no RPC server. */
public final class RpcConnectException extends RpcException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with the text of its first line. */
  public RpcConnectException(String summary) {
    this(summary, null);
  }

  /** Creates the error with the text of its first line and its cause. */
  public RpcConnectException(String summary, @Nullable Throwable cause) {
    super(ErrorKind.RUNTIME, summary, cause);
  }
}
