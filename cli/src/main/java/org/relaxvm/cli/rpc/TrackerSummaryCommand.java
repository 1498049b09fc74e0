package org.relaxvm.cli.rpc;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.tracker.TrackerClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the queues and the servers of a tracker. */
@Command(
    name = "tracker-summary",
    description = "Prints the servers of a tracker and how many of each key are free.",
    mixinStandardHelpOptions = true,
    footer = {"", "  relaxvm rpc tracker-summary 127.0.0.1:9190"})
public final class TrackerSummaryCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(index = "0", paramLabel = "HOST:PORT", description = "Where the tracker listens.")
  String address = "";

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Limit for each answer (default: 10).")
  long seconds = 10;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public TrackerSummaryCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Duration limit = Duration.ofSeconds(seconds);
    try (TrackerClient client = TrackerClient.connect(Endpoint.parse(address), limit)) {
      TrackerClient.Summary summary = client.summary(limit);
      if (json) {
        Map<String, Object> queues = new LinkedHashMap<>();
        summary
            .queues()
            .forEach(
                of -> queues.put(of.key(), Map.of("free", of.free(), "pending", of.pending())));
        console.out().println(JsonText.of(Map.of("queues", queues, "servers", summary.servers())));
        return 0;
      }
      console.out().println("Servers");
      TextTable servers = new TextTable();
      summary.servers().forEach((server, key) -> servers.row(server, key));
      servers.lines("  ").forEach(console.out()::println);
      console.out().println("Queues");
      TextTable queues = new TextTable();
      queues.row("key", "free", "pending");
      summary
          .queues()
          .forEach(
              of -> queues.row(of.key(), String.valueOf(of.free()), String.valueOf(of.pending())));
      queues.lines("  ").forEach(console.out()::println);
    }
    return 0;
  }
}
