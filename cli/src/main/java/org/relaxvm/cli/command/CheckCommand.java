package org.relaxvm.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.check.CaseFile;
import org.relaxvm.cli.check.CaseRun;
import org.relaxvm.cli.check.CaseRunner;
import org.relaxvm.cli.check.ModuleCheck;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.Progress;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.compiler.file.RelaxProgramReader;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs case folders and modules and compares results. */
@Command(
    name = "check",
    description = "Compares results with the expected ones, of case folders or Relax IR modules.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A case folder holds case.json, a program and tensor files. A module is compiled and",
      "run on the inputs given, or on random ones, and its results are compared with those",
      "of the reference evaluator. One line is printed per run, and 'N passed, N failed' at",
      "the end. The exit code is 1 if a run failed.",
      "",
      "  relaxvm check cases/softmax",
      "  relaxvm check model.relax --bind n=3"
    })
public final class CheckCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Case folders, or modules in Relax IR (text).")
  List<Path> paths = List.of();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description = "Device to use instead of the one of the case; repeat for several.")
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
      names = "--tolerance",
      paramLabel = "X",
      defaultValue = "0.001",
      description = "Relative tolerance of floating-point results of modules (default: 0.001).")
  double tolerance = 0.001;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  private final List<Map<String, Object>> rows = new ArrayList<>();
  private int passed;
  private int failed;

  /** Creates the command. */
  public CheckCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    for (Path path : paths) {
      if (Files.isRegularFile(path)) {
        checkModule(path);
      } else {
        check(CaseFile.read(path));
      }
    }
    if (json) {
      Map<String, Object> summary = new LinkedHashMap<>();
      summary.put("passed", passed);
      summary.put("failed", failed);
      summary.put("runs", rows);
      console.out().println(JsonText.of(summary));
    } else {
      console.out().println(passed + " passed, " + failed + " failed");
    }
    return failed == 0 ? 0 : 1;
  }

  private void check(CaseFile file) {
    try (VirtualMachine vm = link(ProgramOptions.load(file.program()), file.device());
        Progress progress = new Progress(console, "checking", file.runs().size())) {
      CaseRunner runner = new CaseRunner(vm, file);
      int index = 0;
      for (CaseRun run : file.runs()) {
        String expectation =
            run.error() == null ? "" : " (must fail with " + run.error().kind() + ")";
        Optional<String> failure = failure(runner, run);
        report(file.folder(), index++, run.function(), expectation, failure);
        progress.step();
      }
    }
  }

  private void checkModule(Path file) {
    if (!new RelaxProgramReader().accepts(FileHead.of(file))) {
      throw new CallException(
          ErrorKind.VALUE,
          "'"
              + file
              + "' is neither a case folder nor a module in Relax IR, so there are no expected"
              + " results\n  what to do: give a folder with case.json, or a module as text");
    }
    IRModule module = ModuleFile.read(file);
    ModuleCheck check = new ModuleCheck(module, function, tolerance);
    List<String> arguments = inputs.isEmpty() ? check.randomInputs(bind) : inputs;
    try (VirtualMachine vm = link(Compiler.compile(module), "cpu")) {
      String given = arguments.isEmpty() ? "" : " " + String.join(" ", arguments);
      report(file, 0, function, given, check.failure(vm, arguments));
    }
  }

  private VirtualMachine link(Program program, String device) {
    VmBuilder builder = VirtualMachine.builder(program);
    boolean isPlaced = devices.isEmpty() && !program.metadata().devices().isEmpty();
    (devices.isEmpty() && !isPlaced ? List.of(device) : devices).forEach(builder::device);
    return builder.build();
  }

  private static Optional<String> failure(CaseRunner runner, CaseRun run) {
    try {
      return runner.failure(run);
    } catch (RelaxException e) {
      // A run whose files cannot be read has failed; the others still run.
      return Optional.of(e.kind() + ": " + e.getMessage());
    }
  }

  private void report(Path path, int index, String called, String more, Optional<String> failure) {
    if (failure.isEmpty()) {
      passed++;
    } else {
      failed++;
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("case", String.valueOf(path.getFileName()));
    row.put("run", index);
    row.put("function", called);
    row.put("passed", failure.isEmpty());
    failure.ifPresent(text -> row.put("reason", text));
    rows.add(row);
    if (!json) {
      String what = path.getFileName() + " run " + index + " " + called + more;
      console
          .out()
          .println(
              failure.isEmpty()
                  ? console.styled(Console.Style.GOOD, "ok    ") + what
                  : console.styled(Console.Style.BAD, "FAIL  ")
                      + what
                      + ": "
                      + failure.get().indent(8).strip());
    }
  }
}
