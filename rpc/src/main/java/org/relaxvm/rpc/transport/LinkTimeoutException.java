package org.relaxvm.rpc.transport;

import java.io.IOException;

/** The deadline of a link passed; the link is closed. */
public final class LinkTimeoutException extends IOException {
  private static final long serialVersionUID = 1L;

  LinkTimeoutException(String peer) {
    super("the time limit passed while waiting for " + peer);
  }
}
