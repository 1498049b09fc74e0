package org.relaxvm.cli.rpc;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.cli.output.Console;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.proxy.RpcProxy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Joins servers and clients until the process is ended. */
@Command(
    name = "proxy",
    description = "Joins servers and clients that both connect to it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "For servers that cannot be reached from outside: rpc server --proxy HOST:PORT --key NAME.",
      "Clients name the proxy instead of the server, and the key.",
      "",
      "  relaxvm rpc proxy --port 9095"
    })
public final class ProxyCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 9095;

  private final Console console;

  @Mixin ListenOptions address = new ListenOptions(DEFAULT_PORT);

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "How long one side waits for the other (default: 600).")
  long seconds = RpcProxy.DEFAULT_WAIT.toSeconds();

  @Option(
      names = "--tracker",
      paramLabel = "HOST:PORT",
      description = "Tracker to which the proxy offers the servers that wait.")
  @Nullable String tracker;

  /** Creates the command. */
  public ProxyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    RpcProxy proxy =
        RpcProxy.start(
            address.endpoint(),
            Duration.ofSeconds(seconds),
            tracker == null ? null : Endpoint.parse(tracker));
    console.out().println("listening on " + proxy.endpoint());
    ServiceLoop.runUntilEnd(proxy::close);
    return 0;
  }
}
