package org.relaxvm.rpc.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.wire.WireException;

/** Errors of the other side, from their text. Source: docs/spec/rpc-protocol.md, section 4. */
final class RemoteErrors {
  private static final String TIMEOUT = "RPCSessionTimeoutError: ";

  private static final String FRAMES = "Traceback (most recent call last):";
  private static final Pattern FIRST_AFTER_FRAMES =
      Pattern.compile("(?m)^[A-Za-z][A-Za-z0-9_.]*: ");

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
    String message = withoutFrames(text);
    for (ErrorKind kind : ErrorKind.values()) {
      String prefix = kind.text() + ": ";
      if (message.startsWith(prefix)) {
        return new RemoteCallException(kind, message.substring(prefix.length()), text, peer);
      }
    }
    return new RemoteCallException(ErrorKind.RUNTIME, message, text, peer);
  }

  /** TVM 0.22 sends the frames, which are indented, before the error. */
  private static String withoutFrames(String text) {
    if (!text.startsWith(FRAMES)) {
      return text;
    }
    Matcher error = FIRST_AFTER_FRAMES.matcher(text);
    return error.find(FRAMES.length()) ? text.substring(error.start()).stripTrailing() : text;
  }
}
