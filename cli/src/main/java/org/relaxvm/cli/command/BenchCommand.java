package org.relaxvm.cli.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.cli.bench.Bench;
import org.relaxvm.cli.bench.BenchResult;
import org.relaxvm.cli.input.InputReader;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.Progress;
import org.relaxvm.cli.output.TextTable;
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

/** Times a function of a program. */
@Command(
    name = "bench",
    description = "Times a function of a program.",
    mixinStandardHelpOptions = true,
    footer = {"", "  relaxvm bench model.rvm random:8x784:float32 --repeat 200 --threads 2"})
public final class BenchCommand implements Callable<Integer> {
  private final Console console;

  @Spec CommandSpec spec = CommandSpec.create();

  @Mixin ProgramOptions options = new ProgramOptions();

  @Parameters(index = "1..*", paramLabel = "INPUT", description = "Arguments, as for 'run'.")
  List<String> inputs = List.of();

  @Option(
      names = {"-r", "--repeat"},
      paramLabel = "N",
      defaultValue = "100",
      description = "Timed calls per thread (default: 100).")
  int repeat;

  @Option(
      names = {"-w", "--warmup"},
      paramLabel = "N",
      description = "Calls before the timed ones (default: until the time per call is steady).")
  @Nullable Integer warmup;

  @Option(
      names = {"-t", "--threads"},
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that call at the same time (default: 1).")
  int threads;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public BenchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    requireAtLeast("--repeat", repeat, 1);
    int warmUpCalls = warmup == null ? -1 : requireAtLeast("--warmup", warmup, 0);
    requireAtLeast("--threads", threads, 1);
    Program program = options.load(console);
    try (VirtualMachine vm = options.link(program);
        Progress progress =
            new Progress(console, "timing", Math.max(0, warmUpCalls) + (long) repeat * threads)) {
      VmFunction function = vm.function(options.functionOf(program));
      List<@Nullable Object> args =
          new InputReader(program.metadata(), function.paramNames()).read(inputs);
      try {
        MainDevice.uploadAll(vm, function.name(), args);
        BenchResult result =
            new Bench(vm, function.name(), args.toArray(), warmUpCalls, repeat, threads)
                .run(progress);
        progress.close();
        print(program, function.name(), result);
      } finally {
        args.forEach(RunCommand::close);
      }
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

  private void print(Program program, String function, BenchResult result) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("program", options.program.toString());
    object.put("function", function);
    object.put("devices", options.devices(program));
    object.put("inputs", inputs);
    object.put("threads", threads);
    object.put("warmup_calls", result.warmUp().calls());
    object.put("steady", result.warmUp().isSteady());
    object.put("calls", result.calls());
    object.put("min_ns", result.minNanos());
    object.put("median_ns", result.medianNanos());
    object.put("p99_ns", result.p99Nanos());
    object.put("mean_ns", result.meanNanos());
    object.put("calls_per_second", result.callsPerSecond());
    object.put("instructions", result.instructions());
    object.put("ns_per_instruction", result.nanosPerInstruction());
    object.put("allocated_bytes", result.allocatedBytes());
    if (json) {
      console.out().println(JsonText.of(object));
      return;
    }
    TextTable table =
        new TextTable()
            .row("function", function)
            .row("devices", String.join(", ", options.devices(program)))
            .row(
                "calls",
                result.calls() + " in " + threads + (threads == 1 ? " thread" : " threads"))
            .row("warm-up", result.warmUp().text())
            .row("min", time(result.minNanos()))
            .row("median", time(result.medianNanos()))
            .row("p99", time(result.p99Nanos()))
            .row("mean", time(result.meanNanos()))
            .row("calls per second", format("%,.0f", result.callsPerSecond()))
            .row("instructions per call", result.instructions())
            .row("ns per instruction", format("%.1f", result.nanosPerInstruction()))
            .row("allocated per call", format("%,d bytes", result.allocatedBytes()));
    table.lines("").forEach(console.out()::println);
  }

  private static String time(double nanos) {
    if (nanos < 10_000) {
      return format("%.0f ns", nanos);
    }
    return nanos < 10_000_000 ? format("%.1f us", nanos / 1e3) : format("%.2f ms", nanos / 1e6);
  }

  private static String format(String pattern, Object value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
