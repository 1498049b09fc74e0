package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.io.Npy;
import org.relaxvm.cli.input.InputReader;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.ScoreBars;
import org.relaxvm.cli.output.ValueText;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a function of a program once and prints its result. */
@Command(
    name = "run",
    description = "Runs a function of a program and prints its result.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "INPUT is FILE.npy, FILE.npz, an image (.png or .jpg, scaled and normalized as the",
      "program declares), random:3x5:float32[:SEED], zeros:3x5:float32, ones:3x5:float32,",
      "shape:2x3, str:TEXT, null, true, false or a number. NAME=INPUT passes it to the parameter",
      "NAME.",
      "",
      "  relaxvm run digits.rvm seven.png",
      "  relaxvm run model.rvm random:1x3x224x224 --output result.npy"
    })
public final class RunCommand implements Callable<Integer> {
  private final Console console;

  @Mixin ProgramOptions options = new ProgramOptions();

  @Parameters(index = "1..*", paramLabel = "INPUT", description = "Arguments, see below.")
  List<String> inputs = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the result, a tensor, to FILE (.npy).")
  @Nullable Path output;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public RunCommand(Console console) {
    this.console = console;
  }

  /** The command without options. */
  public static RunCommand plain(Console console, Path program, List<String> inputs) {
    RunCommand command = new RunCommand(console);
    command.options.program = program;
    command.inputs = List.copyOf(inputs);
    return command;
  }

  @Override
  public Integer call() {
    Program program = options.load(console);
    try (VirtualMachine vm = options.link(program)) {
      VmFunction function = vm.function(options.functionOf(program));
      List<@Nullable Object> args =
          new InputReader(program.metadata(), function.paramNames()).read(inputs);
      try {
        MainDevice.uploadAll(vm, function.name(), args);
        try (Value result = function.call(args.toArray())) {
          write(result);
          print(program, function.name(), result);
        }
      } finally {
        args.forEach(RunCommand::close);
      }
    }
    return 0;
  }

  private void write(Value result) {
    if (output == null) {
      return;
    }
    if (!(result.object() instanceof Tensor tensor)) {
      throw new CallException(
          ErrorKind.TYPE,
          "only a tensor can be written to '"
              + output
              + "'; the result is "
              + ValueText.display(result.object()));
    }
    Npy.write(output, tensor);
  }

  private void print(Program program, String function, Value result) {
    Optional<List<ScoreBars.Score>> scores = scores(program.metadata().labels(), result);
    if (json) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      object.put("function", function);
      object.put("devices", options.devices(program));
      scores.ifPresent(
          ranked -> {
            object.put("label", ranked.getFirst().label());
            Map<String, Double> byLabel = new LinkedHashMap<>();
            ranked.forEach(score -> byLabel.put(score.label(), score.score()));
            object.put("scores", byLabel);
          });
      object.put("result", ValueText.json(result.object()));
      console.out().println(JsonText.of(object));
    } else if (scores.isPresent()) {
      String label = scores.get().getFirst().label();
      console.out().println(console.styled(Console.Style.BOLD, label));
      ScoreBars.lines(scores.get(), console).forEach(console.out()::println);
    } else {
      console.out().println(ValueText.display(result.object()));
    }
  }

  /** The scores of one sample, when the program has labels and the result is one row of them. */
  private static Optional<List<ScoreBars.Score>> scores(List<String> labels, Value result) {
    if (labels.isEmpty()
        || !(result.object() instanceof Tensor tensor)
        || !tensor.dtype().isFloat()
        || tensor.elementCount() != labels.size()) {
      return Optional.empty();
    }
    return Optional.of(ScoreBars.ranked(labels, tensor.toFloatArray()));
  }

  static void close(@Nullable Object value) {
    if (value instanceof Managed managed) {
      managed.close();
    }
  }
}
