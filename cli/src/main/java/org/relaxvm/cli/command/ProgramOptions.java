package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.cli.input.ByteSize;
import org.relaxvm.cli.output.Console;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What every command that runs a program takes: the program, the devices, the function. */
final class ProgramOptions {
  static final String PROGRAM_FILE =
      "A .rvm package, an ONNX model, an executable of the Relax or the Relay VM, a program as text"
          + " (bytecode or Relax IR), or a library that Apache TVM exported.";

  @Parameters(index = "0", paramLabel = "PROGRAM", description = PROGRAM_FILE)
  Path program = Path.of("");

  @Mixin LoadFiles files = new LoadFiles();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description =
          "Device to run on, such as cpu or cuda:0; repeat for several (default: the devices that"
              + " the program is placed on, else cpu).")
  List<String> devices = new ArrayList<>();

  @Option(
      names = "--allow-fallback",
      description =
          "Run unsupported kernels, or a missing device, on the CPU; every fallback is reported.")
  boolean allowFallback;

  @Option(
      names = {"-f", "--function"},
      paramLabel = "NAME",
      description = "Function to call (default: main, or the only one).")
  String function = "";

  @Option(
      names = "--max-memory",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "Limit of the memory allocated per device, such as 512M or 2G.")
  long memoryBudget = Long.MAX_VALUE;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description =
          "Run up to N independent calls of the program at the same time on the CPU, where that is"
              + " measured to be faster (default: 1).")
  int parallelism = 1;

  @Mixin BackendSettings backends = new BackendSettings();

  @Option(
      names = "--dump-kernels",
      paramLabel = "DIR",
      description =
          "Write the generated code of each kernel to DIR: NAME.tir and NAME.txt for the CPU,"
              + " NAME.gpu.tir and the source for other devices.")
  void dumpKernels(Path folder) {
    System.setProperty("relaxvm.cpu.dumpKernels", folder.toString());
    System.setProperty("relaxvm.gpu.dumpKernels", folder.toString());
  }

  /** Loads and verifies the program. */
  Program load(Console console) {
    return files.load(program, console);
  }

  /** The devices for a report: those chosen, else those that the program is placed on. */
  List<String> devices(Program loaded) {
    List<String> placed = loaded.metadata().devices().stream().map(DeviceId::toString).toList();
    return !devices.isEmpty() ? devices : placed.isEmpty() ? List.of("cpu") : placed;
  }

  /** Links the program to the chosen devices. */
  VirtualMachine link(Program loaded) {
    VmBuilder builder = VirtualMachine.builder(loaded);
    devices.forEach(builder::device);
    backends.values.forEach(builder::option);
    if (allowFallback) {
      builder.fallbackToHost();
    }
    if (memoryBudget != Long.MAX_VALUE) {
      builder.limits(Limits.defaults().withMemoryBudget(memoryBudget));
    }
    if (parallelism != 1) {
      builder.parallelism(parallelism);
    }
    return builder.build();
  }

  /** The function to call: the one named, else {@code main}, else the only one. */
  String functionOf(Program loaded) {
    List<String> names =
        loaded.executable().functions().stream()
            .filter(info -> info.kind() != FunctionKind.PACKED)
            .map(FunctionInfo::name)
            .toList();
    if (!function.isEmpty()) {
      return function;
    }
    if (names.contains("main")) {
      return "main";
    }
    if (names.size() == 1) {
      return names.getFirst();
    }
    throw new CallException(
        ErrorKind.VALUE,
        "'"
            + program
            + "' has no function 'main'\n  the program has: "
            + String.join(", ", names)
            + "\n  what to do: name one with --function");
  }
}
