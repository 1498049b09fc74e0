package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.check.CaseFile;
import org.relaxvm.cli.check.CaseRun;
import org.relaxvm.cli.check.CaseRunner;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.Progress;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs case folders and compares results. */
@Command(
    name = "check",
    description = "Runs the cases in folders and compares results and errors with the expected.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A case folder holds case.json, a program and tensor files. One line a run; the",
      "last line counts: 'N passed, N failed'. Exit code 1 when a run failed."
    })
public final class CheckCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Case folders.")
  List<Path> folders = List.of();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description = "Use this device instead of the case's; repeat for several.")
  List<String> devices = new ArrayList<>();

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
    for (Path folder : folders) {
      check(CaseFile.read(folder));
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
    VmBuilder builder = VirtualMachine.builder(ProgramOptions.load(file.program()));
    (devices.isEmpty() ? List.of(file.device()) : devices).forEach(builder::device);
    try (VirtualMachine vm = builder.build();
        Progress progress = new Progress(console, "checking", file.runs().size())) {
      CaseRunner runner = new CaseRunner(vm, file);
      int index = 0;
      for (CaseRun run : file.runs()) {
        report(file, index++, run, failure(runner, run));
        progress.step();
      }
    }
  }

  private static Optional<String> failure(CaseRunner runner, CaseRun run) {
    try {
      return runner.failure(run);
    } catch (RelaxException e) {
      // A run whose files cannot be read has failed; the others still run.
      return Optional.of(e.kind() + ": " + e.getMessage());
    }
  }

  private void report(CaseFile file, int index, CaseRun run, Optional<String> failure) {
    if (failure.isEmpty()) {
      passed++;
    } else {
      failed++;
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("case", String.valueOf(file.folder().getFileName()));
    row.put("run", index);
    row.put("function", run.function());
    row.put("passed", failure.isEmpty());
    failure.ifPresent(text -> row.put("reason", text));
    rows.add(row);
    if (!json) {
      String what =
          file.folder().getFileName()
              + " run "
              + index
              + " "
              + run.function()
              + (run.error() == null ? "" : " (must fail with " + run.error().kind() + ")");
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
