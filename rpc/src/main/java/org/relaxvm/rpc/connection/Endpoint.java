package org.relaxvm.rpc.connection;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.error.RpcException;

/**
 * Where a server, a tracker or a proxy listens.
 *
 * @param host a name or an address, without brackets
 * @param port 0 to 65535; 0 stands for any free port of a server
 */
public record Endpoint(String host, int port) {
  /** Checks both parts. */
  public Endpoint {
    if (host.isEmpty() || port < 0 || port > 0xFFFF) {
      throw malformed(host + ":" + port);
    }
  }

  /**
   * Reads {@code host:port}; an IPv6 address is in brackets: {@code [::1]:9091}.
   *
   * @throws RpcException a {@code ValueError} when the text has another form
   */
  public static Endpoint parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    String digits = text.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw malformed(text);
    }
    if (host.isEmpty() || !digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > 0xFFFF) {
      throw malformed(text);
    }
    return new Endpoint(host, Integer.parseInt(digits));
  }

  private static RpcException malformed(String text) {
    return new RpcException(
        ErrorKind.VALUE,
        "malformed address '"
            + text
            + "': expected host:port, such as 192.168.0.7:9091 or [::1]:9091");
  }

  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
