package org.relaxvm.cli.rpc;

import java.util.concurrent.Callable;
import org.relaxvm.cli.output.Console;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.tracker.Tracker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hands out servers until the process is ended. */
@Command(
    name = "tracker",
    description = "Hands out servers to clients by key.",
    mixinStandardHelpOptions = true,
    footer = {"", "  relaxvm rpc tracker --port 9190"})
public final class TrackerCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 9190;

  private final Console console;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: 127.0.0.1).")
  String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port to listen on; 0 for any (default: 9190).")
  int port = DEFAULT_PORT;

  /** Creates the command. */
  public TrackerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    Tracker tracker = Tracker.start(new Endpoint(host, port));
    console.out().println("listening on " + tracker.endpoint() + ", stop key " + tracker.stopKey());
    ServiceLoop.runUntilEnd(tracker::close);
    return 0;
  }
}
