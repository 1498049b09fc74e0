package org.relaxvm.cli.rpc;

import java.time.Duration;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import picocli.CommandLine.Mixin;
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

  @Mixin AccessOptions access = new AccessOptions();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Limit for each answer; 0 for none (default: 0).")
  long seconds;

  @Option(
      names = "--tracker",
      description = "Ask the tracker at HOST:PORT for a server of the key.")
  boolean tracker;

  RpcSession connect() {
    RpcOptions options =
        RpcOptions.DEFAULT
            .withKey(access.key)
            .withToken(access.token)
            .withTls(access.certificates())
            .withCallTimeout(Duration.ofSeconds(seconds));
    Endpoint endpoint = Endpoint.parse(address);
    return tracker
        ? RpcSession.request(endpoint, options, 1, TRACKER_WAIT)
        : RpcSession.connect(endpoint, options);
  }
}
