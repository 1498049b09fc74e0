package org.relaxvm.rpc;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * An error that a function raised on the remote side. {@link #kind()} is the remote kind where the
 * peer names it, else {@link ErrorKind#RUNTIME}. The session stays usable.
 */
public final class RemoteCallException extends CallException {
  private static final long serialVersionUID = 1L;

  private final String remoteText;

  /** Creates the error from the peer's text. */
  RemoteCallException(ErrorKind kind, String summary, String remoteText) {
    super(kind, summary);
    this.remoteText = remoteText;
  }

  /** The text as the peer sent it, with its kind and its frames where it sends them. */
  public String remoteText() {
    return remoteText;
  }
}
