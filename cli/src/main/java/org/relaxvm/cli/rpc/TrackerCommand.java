package org.relaxvm.cli.rpc;

import java.util.concurrent.Callable;
import org.relaxvm.cli.output.Console;
import org.relaxvm.rpc.tracker.Tracker;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Hands out servers until the process is ended. */
@Command(
    name = "tracker",
    description = "Hands out servers to clients by key.",
    mixinStandardHelpOptions = true,
    footer = {"", "  relaxvm rpc tracker --port 9190"})
public final class TrackerCommand implements Callable<Integer> {
  private static final int DEFAULT_PORT = 9190;

  private final Console console;

  @Mixin ListenOptions address = new ListenOptions(DEFAULT_PORT);

  /** Creates the command. */
  public TrackerCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws InterruptedException {
    Tracker tracker = Tracker.start(address.endpoint());
    console.out().println("listening on " + tracker.endpoint() + ", stop key " + tracker.stopKey());
    ServiceLoop.runUntilEnd(tracker::close);
    return 0;
  }
}
