package org.relaxvm.rpc.client;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.rpc.RemoteCallException;
import org.relaxvm.rpc.RpcTimeoutException;
import org.relaxvm.rpc.wire.WireException;

/** Errors of the other side, from their text. Source: docs/spec/rpc-protocol.md, section 4. */
final class RemoteErrors {
  private static final String TIMEOUT = "RPCSessionTimeoutError: ";

  private RemoteErrors() {}

  static RelaxException of(@Nullable Object[] values, String peer) throws WireException {
    if (values.length != 1 || !(values[0] instanceof String text)) {
      throw new WireException("an error without a text");
    }
    if (text.startsWith(TIMEOUT)) {
      return new RpcTimeoutException(
          "the session with "
              + peer
              + " is over: "
              + text.substring(TIMEOUT.length())
              + "\n  what to do: ask for more time (RpcOptions.withSessionTimeout)");
    }
    for (ErrorKind kind : ErrorKind.values()) {
      String prefix = kind.text() + ": ";
      if (text.startsWith(prefix)) {
        return new RemoteCallException(kind, text.substring(prefix.length()), text, peer);
      }
    }
    return new RemoteCallException(ErrorKind.RUNTIME, text, text, peer);
  }
}
