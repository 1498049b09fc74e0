package org.relaxvm.cli.rpc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.cli.input.InputReader;
import org.relaxvm.cli.output.Console;
import org.relaxvm.rpc.RemoteModule;
import org.relaxvm.rpc.RemoteVm;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.vm.Timing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Uploads a program, runs it on the server, and prints the outputs. */
@Command(
    name = "run",
    description = "Uploads a program to a server, runs a function there and prints its outputs.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The virtual machine is on the server, which may be one of Apache TVM (with FILE a library",
      "that it exported). To keep the virtual machine here, use relaxvm run with",
      "--device rpc://HOST:PORT/DEVICE.",
      "INPUT is FILE.npy, random:3x5:float32[:SEED] or a number.",
      "",
      "  relaxvm rpc run 127.0.0.1:9091 model.rvm main random:1x64:float32 --time"
    })
public final class RunRemoteCommand implements Callable<Integer> {
  private static final int TIMED_REPEATS = 5;
  private static final int MIN_MILLIS = 100;

  private final Console console;

  @Mixin ConnectOptions connection = new ConnectOptions();

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "A program: .rvm, a bare executable, or a library.")
  Path file = Path.of("");

  @Parameters(index = "2", paramLabel = "FUNCTION", description = "The function to call.")
  String function = "";

  @Parameters(index = "3..*", paramLabel = "INPUT", description = "Arguments, see below.")
  List<String> inputs = List.of();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description = "Device of the server to run on (default: cpu).")
  String device = "cpu";

  @Option(
      names = "--time",
      description = "Also measure the function on the server, without the network.")
  boolean time;

  /** Creates the command. */
  public RunRemoteCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    List<@Nullable Object> args = new InputReader(ProgramMetadata.EMPTY, List.of()).read(inputs);
    DeviceId target = DeviceId.parse(device);
    try (RpcSession session = connection.connect()) {
      String name = String.valueOf(file.getFileName());
      session.upload(name, file);
      try (RemoteModule module = session.loadModule(name);
          RemoteVm vm = module.vm(target)) {
        @Nullable Object[] uploaded = RemoteValues.upload(session, DeviceId.CPU, args);
        vm.setInput(function, uploaded);
        vm.invoke(function);
        print(vm, new ArrayList<>());
        if (time) {
          vm.saveFunction(function, "relaxvm.timed", false, uploaded);
          Timing timing =
              vm.timer("relaxvm.timed", target)
                  .runs(1, TIMED_REPEATS)
                  .atLeast(MIN_MILLIS, 100)
                  .time();
          console.out().println(timing);
        }
      }
    }
    return 0;
  }

  private void print(RemoteVm vm, List<Integer> path) {
    int[] indices = path.stream().mapToInt(Integer::intValue).toArray();
    int arity = vm.outputArity(function, indices);
    if (arity < 0) {
      String label = path.isEmpty() ? "" : path + " ";
      console.out().println(label + RemoteValues.display(vm.output(function, indices)));
      return;
    }
    for (int i = 0; i < arity; i++) {
      path.add(i);
      print(vm, path);
      path.removeLast();
    }
  }
}
