package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.cli.input.DefaultInputs;
import org.relaxvm.cli.input.InputReader;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.Progress;
import org.relaxvm.cli.profile.Profiler;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what a function of a program spends its time and memory on. */
@Command(
    name = "profile",
    description = "Shows where a function of a program spends time and memory.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Inputs are given as for 'relaxvm run'. Without inputs, each input that the program",
      "describes is random, and symbolic dimensions are 1. The trace can be opened in",
      "ui.perfetto.dev and chrome://tracing.",
      "",
      "  relaxvm profile model.rvm --device opencl:0 --trace out.json"
    })
public final class ProfileCommand implements Callable<Integer> {
  private final Console console;

  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin ProgramOptions options = new ProgramOptions();

  @Parameters(index = "1..*", paramLabel = "INPUT", description = "Arguments, see below.")
  List<String> inputs = List.of();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Write all events, warm-up included, to FILE as a trace (.json).")
  @Nullable Path trace;

  @Option(
      names = {"-r", "--repeat"},
      paramLabel = "N",
      defaultValue = "10",
      description = "Measured calls (default: 10).")
  int repeat;

  @Option(
      names = {"-w", "--warmup"},
      paramLabel = "N",
      description = "Calls before the measured ones (default: until the time per call is steady).")
  @Nullable Integer warmup;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "Kernels to show (default: 20).")
  int top;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public ProfileCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    requireAtLeast("--repeat", repeat, 1);
    int warmUpCalls = warmup == null ? -1 : requireAtLeast("--warmup", warmup, 0);
    requireAtLeast("--top", top, 1);
    Program program = options.load(console);
    try (Profiler profiler = new Profiler(program);
        Progress progress =
            new Progress(console, "profiling", Math.max(0, warmUpCalls) + (long) repeat)) {
      VirtualMachine vm = profiler.link(() -> options.link(program));
      VmFunction function = vm.function(options.functionOf(program));
      List<String> given =
          inputs.isEmpty() ? DefaultInputs.of(program.metadata(), function.name()) : inputs;
      List<@Nullable Object> args =
          new InputReader(program.metadata(), function.paramNames()).read(given);
      try {
        MainDevice.uploadAll(vm, function.name(), args);
        profiler.run(function, args.toArray(), warmUpCalls, repeat, progress);
      } finally {
        args.forEach(RunCommand::close);
      }
      profiler.finish();
      progress.close();
      if (trace != null) {
        profiler.writeTrace(trace);
      }
      print(profiler, options.devices(program), function.name(), given);
    }
    return 0;
  }

  private int requireAtLeast(String option, int value, int least) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), option + " must be at least " + least + ", but is " + value);
    }
    return value;
  }

  private void print(Profiler profiler, List<String> devices, String function, List<String> given) {
    if (json) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("program", options.program.toString());
      object.put("function", function);
      object.put("devices", devices);
      object.put("inputs", given);
      profiler
          .warmUp()
          .ifPresent(
              made -> {
                object.put("warmup_calls", made.calls());
                object.put("steady", made.isSteady());
              });
      object.putAll(profiler.json());
      console.out().println(JsonText.of(object));
      return;
    }
    console
        .out()
        .println(
            function
                + " on "
                + String.join(", ", devices)
                + (given.isEmpty() ? "" : " with " + String.join(" ", given)));
    profiler.warmUp().ifPresent(made -> console.out().println("warm-up: " + made.text()));
    console.out().println();
    profiler.lines(top).forEach(console.out()::println);
  }
}
