package org.relaxvm.rpc.error;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;

/** The peer sent what the protocol does not allow, or speaks another version of it. */
public final class RpcProtocolException extends RpcException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with the text of its first line. */
  public RpcProtocolException(String summary) {
    this(summary, null);
  }

  /** Creates the error with the text of its first line and its cause. */
  public RpcProtocolException(String summary, @Nullable Throwable cause) {
    super(ErrorKind.RUNTIME, summary, cause);
  }
}
