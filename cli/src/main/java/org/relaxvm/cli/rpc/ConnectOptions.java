package org.relaxvm.cli.rpc;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.RpcTls;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What commands that connect to a server take. */
final class ConnectOptions {
  private static final Duration TRACKER_WAIT = Duration.ofMinutes(10);

  @Parameters(
      index = "0",
      paramLabel = "HOST:PORT",
      description = "Where the server listens, or the proxy; with --tracker, the tracker.")
  String address = "";

  @Option(
      names = "--key",
      paramLabel = "NAME",
      description = "The key that the server was started with (default: none).")
  String key = "";

  @Option(
      names = "--token",
      paramLabel = "TEXT",
      description = "The token that the server demands (default: none).")
  String token = "";

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Limit for each answer; 0 for none (default: 0).")
  long seconds;

  @Option(
      names = "--tls",
      paramLabel = "FILES",
      description =
          "Use TLS with the files CERTIFICATE.pem,KEY.pem,TRUSTED.pem; both sides need them.")
  @Nullable String tls;

  @Option(
      names = "--tracker",
      description = "Ask the tracker at HOST:PORT for a server of the key.")
  boolean tracker;

  RpcSession connect() {
    RpcOptions options =
        RpcOptions.DEFAULT
            .withKey(key)
            .withToken(token)
            .withTls(tls == null ? null : RpcTls.parse(tls))
            .withCallTimeout(Duration.ofSeconds(seconds));
    Endpoint endpoint = Endpoint.parse(address);
    return tracker
        ? RpcSession.request(endpoint, options, 1, TRACKER_WAIT)
        : RpcSession.connect(endpoint, options);
  }
}
