package org.relaxvm.cli.rpc;

import org.relaxvm.cli.output.Console;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Groups the commands for remote devices. */
@Command(
    name = "rpc",
    description = "Runs programs and functions on other machines.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "  relaxvm rpc server --port 9091 --devices cpu,opencl:0",
      "  relaxvm run digits.rvm seven.png --device rpc://127.0.0.1:9091/opencl:0"
    })
public final class RpcCommand implements Runnable {
  @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  private RpcCommand() {}

  /** The command with its subcommands. */
  public static CommandLine of(Console console) {
    return new CommandLine(new RpcCommand())
        .addSubcommand(new ServerCommand(console))
        .addSubcommand(new CallCommand(console))
        .addSubcommand(new RunRemoteCommand(console))
        .addSubcommand(new TrackerCommand(console))
        .addSubcommand(new TrackerSummaryCommand(console))
        .addSubcommand(new ProxyCommand(console));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "name a command of rpc: " + String.join(", ", spec.subcommands().keySet()));
  }
}
