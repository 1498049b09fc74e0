package org.relaxvm.rpc.error;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * An error that a function raised on the remote side. {@link #kind()} is the remote kind where the
 * peer names it, else {@link ErrorKind#RUNTIME}. The session stays usable.
 */
public final class RemoteCallException extends CallException {
  private static final long serialVersionUID = 1L;

  private final String remoteText;

  /**
   * Creates the error from the peer's text.
   *
   * @param text without the kind
   * @param remoteText as the peer sent it
   * @param peer where it was raised
   */
  public RemoteCallException(ErrorKind kind, String text, String remoteText, String peer) {
    super(kind, text);
    this.remoteText = remoteText;
    withTvmMessage(text.lines().findFirst().orElse(""));
    addLocation("remote call on " + peer);
  }

  /** The text as the peer sent it, with its kind and its frames where it sends them. */
  public String remoteText() {
    return remoteText;
  }
}
