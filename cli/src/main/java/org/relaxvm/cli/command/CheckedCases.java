package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.cli.check.Comparison;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.spi.CaseContext;
import org.relaxvm.cli.spi.CaseResult;
import org.relaxvm.cli.spi.CaseResult.Verdict;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/** Links the programs of cases as the command line says, and counts and prints what they gave. */
final class CheckedCases implements CaseContext, AutoCloseable {
  private final Console console;
  private final List<String> devices;
  private final @Nullable Double relative;
  private final @Nullable Double absolute;
  private final boolean json;
  private final List<CaseResult> results = new ArrayList<>();
  private final BackendRegistry registry = BackendRegistry.discover();

  /**
   * Nothing checked so far.
   *
   * @param devices instead of those of the cases; may be empty
   * @param options of backends, by name
   * @param relative tolerance instead of those of the cases, or null
   * @param absolute tolerance instead of those of the cases, or null
   */
  CheckedCases(
      Console console,
      List<String> devices,
      Map<String, String> options,
      @Nullable Double relative,
      @Nullable Double absolute,
      boolean json) {
    this.console = console;
    this.devices = devices;
    options.forEach(registry::option);
    this.relative = relative;
    this.absolute = absolute;
    this.json = json;
  }

  @Override
  public BackendRegistry registry() {
    return registry;
  }

  @Override
  public Program load(Path program, LoadOptions options) {
    return Program.load(program, options.withNativeCode(true));
  }

  @Override
  public VirtualMachine link(Program program, List<String> ofCase) {
    VmBuilder builder = VirtualMachine.builder(program).registry(registry);
    boolean isPlaced = devices.isEmpty() && !program.metadata().devices().isEmpty();
    (devices.isEmpty() && !isPlaced ? ofCase : devices).forEach(builder::device);
    return builder.build();
  }

  @Override
  public Optional<String> difference(
      @Nullable Object expected, @Nullable Object actual, double ofCase) {
    return comparison(ofCase).difference(expected, actual);
  }

  /** The comparison for a case with a relative tolerance of its own. */
  Comparison comparison(double ofCase) {
    return new Comparison(relativeTolerance(ofCase), absoluteTolerance(0));
  }

  @Override
  public double relativeTolerance(double ofCase) {
    return relative != null ? relative : ofCase;
  }

  @Override
  public double absoluteTolerance(double ofCase) {
    return absolute != null ? absolute : ofCase;
  }

  @Override
  public void report(CaseResult result) {
    results.add(result);
    if (json) {
      return;
    }
    String what = result.caseName() + " run " + result.run() + " " + result.function();
    String line = what + result.expectation();
    String reason = ": " + result.reason().indent(8).strip();
    console
        .out()
        .println(
            switch (result.verdict()) {
              case AGREES -> console.styled(Console.Style.GOOD, "ok    ") + line;
              case DIFFERS -> console.styled(Console.Style.BAD, "FAIL  ") + line + reason;
              case UNSUPPORTED -> "skip  " + line + reason;
            });
  }

  /** Prints the counts, or everything in JSON. */
  void printSummary() {
    if (json) {
      Map<String, Object> summary = new LinkedHashMap<>();
      summary.put("passed", count(Verdict.AGREES));
      summary.put("failed", count(Verdict.DIFFERS));
      summary.put("unsupported", count(Verdict.UNSUPPORTED));
      summary.put("runs", results.stream().map(CheckedCases::row).toList());
      console.out().println(JsonText.of(summary));
      return;
    }
    CaseReasons.of(results).lines().forEach(console.out()::println);
    long unsupported = count(Verdict.UNSUPPORTED);
    console
        .out()
        .println(
            count(Verdict.AGREES)
                + " passed, "
                + count(Verdict.DIFFERS)
                + " failed"
                + (unsupported == 0 ? "" : ", " + unsupported + " unsupported"));
  }

  /** How many runs ended in a way. */
  long count(Verdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).count();
  }

  private static Map<String, Object> row(CaseResult result) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("case", result.caseName());
    row.put("run", result.run());
    row.put("function", result.function());
    row.put("passed", result.verdict() == Verdict.AGREES);
    if (result.verdict() == Verdict.UNSUPPORTED) {
      row.put("unsupported", true);
    }
    if (!result.reason().isEmpty()) {
      row.put("reason", result.reason());
    }
    return row;
  }

  @Override
  public void close() {
    registry.close();
  }
}
