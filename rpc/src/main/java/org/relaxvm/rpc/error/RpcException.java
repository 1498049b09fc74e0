package org.relaxvm.rpc.error;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A remote peer that cannot be reached or used. Subclasses name the cause. An error that a remote
 * function raises is a {@link RemoteCallException} instead: the session stays usable after it.
 */
public class RpcException extends BackendException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with its kind and the text of its first line. */
  public RpcException(ErrorKind kind, String summary) {
    super(kind, summary);
  }

  /** Creates the error with its kind, the text of its first line and its cause. */
  public RpcException(ErrorKind kind, String summary, @Nullable Throwable cause) {
    super(kind, summary, cause);
  }
}
