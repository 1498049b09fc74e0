package org.relaxvm.rpc.wire;

import java.io.IOException;

/** The peer sent what the protocol does not allow. The rest of the packet can still be skipped. */
public final class WireException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the error with what is wrong. */
  public WireException(String message) {
    super(message);
  }
}
