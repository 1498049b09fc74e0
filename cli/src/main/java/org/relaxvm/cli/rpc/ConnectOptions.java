package org.relaxvm.cli.rpc;

import java.time.Duration;
import org.relaxvm.rpc.Endpoint;
import org.relaxvm.rpc.RpcOptions;
import org.relaxvm.rpc.RpcSession;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What commands that connect to a server take. */
final class ConnectOptions {
  @Parameters(index = "0", paramLabel = "HOST:PORT", description = "Where the server listens.")
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

  RpcSession connect() {
    return RpcSession.connect(
        Endpoint.parse(address),
        RpcOptions.DEFAULT
            .withKey(key)
            .withToken(token)
            .withCallTimeout(Duration.ofSeconds(seconds)));
  }
}
