package org.relaxvm.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.cli.check.CaseFormats;
import org.relaxvm.cli.check.ModuleCheck;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.spi.CaseResult;
import org.relaxvm.cli.spi.CaseResult.Verdict;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.vm.VirtualMachine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs cases and modules and compares results. */
@Command(
    name = "check",
    description =
        "Compares results with the expected ones, of cases, Relax IR modules or ONNX models.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A case is a folder with case.json, a program and tensor files, or a folder with",
      "script.json, a sequence of calls; PATH may also be a folder of cases, or an archive",
      "(.tar.gz) of scripts, or a test of ONNX: a folder with model.onnx and test_data_set_0,",
      "or a zip archive of such folders. A module or an ONNX model is compiled and run on the",
      "inputs given, or on random ones, and its results are compared with those of the reference",
      "evaluator. One line is printed per run, and 'N passed, N failed' at the end; runs that need",
      "a function which is not there are skipped, with the reason. The exit code is 1 if a run",
      "failed.",
      "",
      "  relaxvm check cases/softmax",
      "  relaxvm check cases --rtol 1e-4",
      "  relaxvm check model.relax --bind n=3"
    })
public final class CheckCommand implements Callable<Integer> {
  private static final double MODULE_TOLERANCE = 1e-3;

  private final Console console;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Cases, folders of cases, modules in Relax IR (text), or ONNX models.")
  List<Path> paths = List.of();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description =
          "Device to use instead of the one of the case, such as cuda:0 or"
              + " rpc://192.168.0.7:9091/opencl:0; repeat for several.")
  List<String> devices = new ArrayList<>();

  @Option(
      names = {"-i", "--input"},
      paramLabel = "INPUT",
      description = "An argument of a module, as for 'relaxvm run'; repeat for several.")
  List<String> inputs = List.of();

  @Option(
      names = "--bind",
      paramLabel = "NAME=N",
      description = "Size of the symbolic dimension NAME in random inputs of modules.")
  Map<String, Long> bind = Map.of();

  @Option(
      names = {"-f", "--function"},
      paramLabel = "NAME",
      defaultValue = "main",
      description = "Function of a module to call (default: main).")
  String function = "main";

  @Option(
      names = "--rtol",
      paramLabel = "X",
      description =
          "Relative tolerance of floating-point results (default: the one of the case, 0.001 for"
              + " modules and ONNX).")
  @Nullable Double relativeTolerance;

  @Option(
      names = "--atol",
      paramLabel = "X",
      description =
          "Absolute tolerance of floating-point results (default: the one of the case, 1e-7 for"
              + " ONNX, else 0).")
  @Nullable Double absoluteTolerance;

  @Mixin ModelSettings model = new ModelSettings();

  @Mixin BackendSettings backends = new BackendSettings();

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public CheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    try (CheckedCases cases =
        new CheckedCases(
            console, devices, backends.values, relativeTolerance, absoluteTolerance, json)) {
      CaseFormats formats =
          CaseFormats.discover(warning -> console.err().println("relaxvm: warning: " + warning));
      for (Path path : paths) {
        List<CaseFormats.Match> found = formats.find(path);
        found.forEach(match -> match.format().check(match.path(), cases));
        if (found.isEmpty()) {
          checkModule(path, formats, cases);
        }
      }
      cases.printSummary();
      return cases.count(Verdict.DIFFERS) == 0 ? 0 : 1;
    }
  }

  private void checkModule(Path file, CaseFormats formats, CheckedCases cases) {
    if (!Files.isRegularFile(file)) {
      throw new MalformedFileException(
          ErrorKind.IO,
          (Files.isDirectory(file) ? "no case in '" + file : "no file or directory '" + file)
              + "'\n  cases are:"
              + formats.describe());
    }
    if (!SourceModel.isOne(file)) {
      throw new CallException(
          ErrorKind.VALUE,
          "'"
              + file
              + "' is no case, no module in Relax IR and no ONNX model, so there are no expected"
              + " results"
              + "\n  cases are:"
              + formats.describe()
              + "\n  what to do: give a case, a module as text, or an ONNX model");
    }
    SourceModel source = SourceModel.of(file, model.in(LoadOptions.DEFAULT));
    IRModule module = source.module();
    ModuleCheck check = new ModuleCheck(module, function, cases.comparison(MODULE_TOLERANCE));
    List<String> arguments = inputs.isEmpty() ? check.randomInputs(bind) : inputs;
    try (VirtualMachine vm = cases.link(source.compile(CompileOptions.DEFAULT), List.of("cpu"))) {
      String given = arguments.isEmpty() ? "" : " " + String.join(" ", arguments);
      Optional<String> failure = check.failure(vm, arguments);
      cases.report(
          new CaseResult(
              String.valueOf(file.getFileName()),
              0,
              function,
              given,
              failure.isEmpty() ? Verdict.AGREES : Verdict.DIFFERS,
              failure.orElse("")));
    }
  }
}
