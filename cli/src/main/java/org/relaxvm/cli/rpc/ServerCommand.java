package org.relaxvm.cli.rpc;

import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.cli.input.ByteSize;
import org.relaxvm.cli.output.Console;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves until the process is ended. */
@Command(
    name = "server",
    description = "Offers devices and functions of this machine to others.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Each connection is a session with files, memory and handles of its own. Whoever can",
      "connect can run programs, so other addresses than loopback need --insecure. The server",
      "ends its sessions and stops when the process is asked to end (Ctrl-C).",
      "",
      "  relaxvm rpc server --port 9091 --devices cpu,opencl:0"
    })
public final class ServerCommand implements Callable<Integer> {
  /** Clients of Apache TVM look for servers at these ports. */
  private static final int FIRST_PORT = 9091;

  private static final int LAST_PORT = 9198;
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Console console;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1).")
  String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on; 0 for any (default: the first free one from 9091).")
  int port = -1;

  @Option(
      names = "--devices",
      paramLabel = "DEVICE",
      split = ",",
      description = "Devices that clients see, such as cpu,opencl:0 (default: cpu).")
  List<String> devices = List.of("cpu");

  @Mixin AccessOptions access = new AccessOptions();

  @Option(
      names = "--tracker",
      paramLabel = "HOST:PORT",
      description = "Tracker to which the server offers itself under its key.")
  @Nullable String tracker;

  @Option(
      names = "--proxy",
      paramLabel = "HOST:PORT",
      description = "Proxy through which clients come, too, under the key.")
  @Nullable String proxy;

  @Option(
      names = "--insecure",
      description =
          "Allow other addresses than loopback without TLS, and clients of a proxy elsewhere.")
  boolean insecure;

  @Option(
      names = "--allow-native",
      description = "Let clients load native libraries; each session has a process of its own.")
  boolean allowNative;

  @Option(
      names = "--allow-hops",
      description = "Let clients have the server connect to further servers for them.")
  boolean allowHops;

  @Option(
      names = "--test-functions",
      description = "Offer the functions with which clients are tried: rpc.test.*, golden.*.")
  boolean testFunctions;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Sessions at once; further clients wait (default: 256).")
  int connections = ServerOptions.Limits.DEFAULT.connections();

  @Option(
      names = "--max-memory",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "Memory of a session on each device (default: 1G).")
  long memory = ServerOptions.Limits.DEFAULT.memoryBytes();

  @Option(
      names = "--upload-limit",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "Files of a session together (default: 1G).")
  long uploads = ServerOptions.Limits.DEFAULT.uploadBytes();

  @Option(
      names = "--session-time",
      paramLabel = "SECONDS",
      description = "Time after which a session is ended; 0 for none (default: 0).")
  long sessionSeconds;

  /** Creates the command. */
  public ServerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    RpcServer server = start();
    console
        .out()
        .println(
            "listening on "
                + server.endpoint()
                + (access.key.isEmpty() ? "" : ", key " + access.key)
                + ", devices "
                + String.join(", ", devices));
    ServiceLoop.runUntilEnd(
        () -> {
          server.drain(GRACE);
          server.close();
        });
    return 0;
  }

  private RpcServer start() {
    ServerOptions options =
        ServerOptions.DEFAULT
            .withKey(access.key)
            .withToken(access.token)
            .withTracker(tracker == null ? null : Endpoint.parse(tracker))
            .withProxy(proxy == null ? null : Endpoint.parse(proxy))
            .withTls(access.certificates())
            .withInsecure(insecure)
            .withNativeCode(allowNative ? NativeCode.IN_CHILD_PROCESS : NativeCode.REFUSE)
            .withAllowHops(allowHops)
            .withDevices(devices)
            .withTestFunctions(testFunctions)
            .withLimits(
                ServerOptions.Limits.DEFAULT
                    .withConnections(connections)
                    .withMemoryBytes(memory)
                    .withUploadBytes(uploads)
                    .withSessionTime(Duration.ofSeconds(sessionSeconds)));
    if (port >= 0) {
      return RpcServer.start(options.withEndpoint(new Endpoint(host, port)));
    }
    for (int tried = FIRST_PORT; ; tried++) {
      try {
        return RpcServer.start(options.withEndpoint(new Endpoint(host, tried)));
      } catch (RpcException e) {
        if (tried == LAST_PORT || !(e.getCause() instanceof BindException)) {
          throw e;
        }
      }
    }
  }
}
