package org.relaxvm.cli.rpc;

import org.relaxvm.rpc.connection.Endpoint;
import picocli.CommandLine.Option;

/** Where a service listens. */
final class ListenOptions {
  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on; 0 for any (default: ${DEFAULT-VALUE}).")
  int port;

  ListenOptions(int defaultPort) {
    this.port = defaultPort;
  }

  Endpoint endpoint() {
    return new Endpoint(host, port);
  }
}
