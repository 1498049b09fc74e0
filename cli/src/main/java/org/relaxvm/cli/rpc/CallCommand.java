package org.relaxvm.cli.rpc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.cli.input.InputReader;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.vmcore.program.ProgramMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Calls one function of a server. */
@Command(
    name = "call",
    description = "Calls a function of a server and prints its result.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "ARG is a number, true, false, null, str:TEXT, FILE.npy or random:3x5:float32[:SEED].",
      "",
      "  relaxvm rpc call 127.0.0.1:9091 rpc.test.addone 41"
    })
public final class CallCommand implements Callable<Integer> {
  private final Console console;

  @Mixin ConnectOptions connection = new ConnectOptions();

  @Parameters(index = "1", paramLabel = "FUNCTION", description = "The function's global name.")
  String function = "";

  @Parameters(index = "2..*", paramLabel = "ARG", description = "Arguments, see below.")
  List<String> inputs = List.of();

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public CallCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<@Nullable Object> args = new InputReader(ProgramMetadata.EMPTY, List.of()).read(inputs);
    try (RpcSession session = connection.connect();
        RemoteFunction target = session.requireFunction(function)) {
      Object result = target.call(RemoteValues.upload(session, DeviceId.CPU, args));
      console
          .out()
          .println(
              json
                  ? JsonText.of(
                      Map.of(
                          "function",
                          function,
                          "result",
                          String.valueOf(RemoteValues.json(result))))
                  : RemoteValues.display(result));
    }
    return 0;
  }
}
