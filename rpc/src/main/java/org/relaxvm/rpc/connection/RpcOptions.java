package org.relaxvm.rpc.connection;

import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.error.RpcException;

/**
 * How a client connects. Immutable: each method gives a changed copy.
 *
 * @param key the name of the server, as it was started with; empty for a server without one
 * @param token the secret that the server demands; empty for none
 * @param tls certificates of this side and of those that it trusts; null for a connection without
 *     TLS
 * @param connectTimeout the limit for the connection, for the handshakes, and for the server to
 *     make the session, each
 * @param callTimeout the limit for sending each request, and for each answer; {@link Duration#ZERO}
 *     for none
 * @param sessionTimeout after which the server ends the session; {@link Duration#ZERO} for none
 */
public record RpcOptions(
    String key,
    String token,
    @Nullable SSLContext tls,
    Duration connectTimeout,
    Duration callTimeout,
    Duration sessionTimeout) {
  private static final Duration MOST = Duration.ofDays(36_500);

  /**
   * Checks the limits.
   *
   * @throws RpcException a {@code ValueError} for one that is negative or of more than 36500 days,
   *     and for no time to connect
   */
  public RpcOptions {
    requireLimit("connectTimeout", connectTimeout);
    requireLimit("callTimeout", callTimeout);
    requireLimit("sessionTimeout", sessionTimeout);
    if (connectTimeout.isZero()) {
      throw new RpcException(
          ErrorKind.VALUE, "connectTimeout is zero, but connecting takes time\n  expected: more");
    }
  }

  private static void requireLimit(String name, Duration limit) {
    if (limit.isNegative() || limit.compareTo(MOST) > 0) {
      throw new RpcException(
          ErrorKind.VALUE, name + " is " + limit + "\n  expected: 0 to " + MOST.toDays() + " days");
    }
  }

  /** No key, no token, no TLS; 10 seconds to connect, no limit for answers. */
  public static final RpcOptions DEFAULT =
      new RpcOptions("", "", null, Duration.ofSeconds(10), Duration.ZERO, Duration.ZERO);

  /** With a key. */
  public RpcOptions withKey(String newKey) {
    return new RpcOptions(newKey, token, tls, connectTimeout, callTimeout, sessionTimeout);
  }

  /** With a token. */
  public RpcOptions withToken(String newToken) {
    return new RpcOptions(key, newToken, tls, connectTimeout, callTimeout, sessionTimeout);
  }

  /** With TLS. */
  public RpcOptions withTls(@Nullable SSLContext certificates) {
    return new RpcOptions(key, token, certificates, connectTimeout, callTimeout, sessionTimeout);
  }

  /** With another limit for connecting. */
  public RpcOptions withConnectTimeout(Duration limit) {
    return new RpcOptions(key, token, tls, limit, callTimeout, sessionTimeout);
  }

  /** With another limit for each answer. */
  public RpcOptions withCallTimeout(Duration limit) {
    return new RpcOptions(key, token, tls, connectTimeout, limit, sessionTimeout);
  }

  /** With a limit after which the server ends the session. */
  public RpcOptions withSessionTimeout(Duration limit) {
    return new RpcOptions(key, token, tls, connectTimeout, callTimeout, limit);
  }

  /** All but the token, which is a secret. */
  @Override
  public String toString() {
    return "RpcOptions[key="
        + key
        + ", token="
        + (token.isEmpty() ? "none" : "hidden")
        + ", tls="
        + (tls != null)
        + ", connectTimeout="
        + connectTimeout
        + ", callTimeout="
        + callTimeout
        + ", sessionTimeout="
        + sessionTimeout
        + "]";
  }
}
