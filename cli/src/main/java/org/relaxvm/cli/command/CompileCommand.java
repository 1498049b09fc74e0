package org.relaxvm.cli.command;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.LoadBar;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.named.PassRegistry;
import org.relaxvm.compiler.pass.ExecMode;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.compiler.pass.PassProviders;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compiles a module in Relax IR or an ONNX model into a package. */
@Command(
    name = "compile",
    description = "Compiles a program in Relax IR (text) or an ONNX model to a .rvm package.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Large constants are read from an archive next to FILE with the same name and the",
      "extension .npz. The package runs on every device: kernels are scheduled and",
      "compiled when it is loaded.",
      "",
      "  relaxvm compile model.relax -o model.rvm --bind n=1",
      "  relaxvm compile model.onnx -o model.rvm --bind batch=1 --outputs scores",
      "  relaxvm compile model.relax -o model.rvm --print-after FuseTIR",
      "  relaxvm compile model.relax -o model.rvm --pipeline acme.transform.Mark,default"
    })
public final class CompileCommand implements Callable<Integer> {
  private static final String ALL = "all";

  private final Console console;

  @Parameters(paramLabel = "FILE", description = "A module in Relax IR as text, or an ONNX model.")
  Path file = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The package to write.")
  Path output = Path.of("");

  @Option(names = "--force", description = "Replace the output if it exists.")
  boolean force;

  @Option(
      names = "--print-after",
      paramLabel = "PASS",
      description = "Print the program after PASS, or after every pass (all).")
  List<String> printAfter = List.of();

  @Option(names = "--timings", description = "Print how long each pass took.")
  boolean timings;

  @Option(names = "--no-fuse", description = "Disable operator fusion (one kernel per operator).")
  boolean noFuse;

  @Option(
      names = "--no-plan",
      description = "Disable memory planning (one allocation per intermediate tensor).")
  boolean noPlan;

  @Option(
      names = "--pipeline",
      paramLabel = "NAME",
      split = ",",
      description =
          "Run these passes, in order, instead of the standard ones: names of passes, of parts of"
              + " the standard pipeline (default, simplification, zero, lowering), and of functions"
              + " from module to module that plugins have.")
  List<String> pipeline = List.of();

  @Option(
      names = "--plan-for-parallelism",
      description =
          "Share memory only where that keeps no kernels from running at the same time"
              + " (run --parallelism).")
  boolean planForParallelism;

  @Option(
      names = "--no-error-contexts",
      description =
          "Leave out the texts by which failed checks name the function, the parameter and the"
              + " declared type.")
  boolean noErrorContexts;

  @Option(
      names = "--bind",
      paramLabel = "NAME=N",
      description = "Replace the symbolic dimension NAME by the constant N.")
  Map<String, Long> bind = Map.of();

  @Mixin ModelSettings model = new ModelSettings();

  @Option(
      names = "--scalars",
      description =
          "Calling convention for symbolic sizes that no argument shape carries:"
              + " ${COMPLETION-CANDIDATES}.",
      defaultValue = "inline")
  ScalarConvention scalars = ScalarConvention.INLINE;

  @Option(
      names = "--exec-mode",
      description =
          "What functions over tensors become: instructions of the virtual machine, or host"
              + " functions that the JVM compiles: ${COMPLETION-CANDIDATES}.",
      defaultValue = "bytecode")
  ExecMode execMode = ExecMode.BYTECODE;

  /** Creates the command. */
  public CompileCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CompileOptions options = options();
    requirePasses(options);
    PassProviders.discover()
        .problems()
        .forEach(problem -> console.err().println("relaxvm: warning: " + problem));
    Path target = output.toAbsolutePath();
    // Also a link that leads nowhere would be replaced.
    if (!force && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new CallException(
          ErrorKind.IO,
          target + " exists\n  what to do: name another file, or replace it with --force");
    }
    TextTable table = new TextTable();
    long[] total = {0};
    PassObserver clock =
        (pass, before, after, nanos) -> {
          total[0] += nanos;
          table.row(pass.name(), milliseconds(nanos));
        };
    Program program = compiled(options.withObserver(clock));
    RvmWriter.write(program, target);
    if (timings) {
      table.row("all passes", milliseconds(total[0]));
      table.lines("").forEach(console.out()::println);
    }
    console.out().println("wrote " + target + ": " + contents(program));
    return 0;
  }

  private static String contents(Program program) {
    long symbols = program.modules().stream().mapToLong(m -> m.image().symbols().size()).sum();
    long compiled =
        program.executable().functions().stream()
            .filter(function -> function.kind() == FunctionKind.VMTIR)
            .count();
    long kernels = symbols - compiled;
    String functions =
        compiled == 0
            ? program.executable().instructionCount() + " instructions"
            : compiled + (compiled == 1 ? " compiled function" : " compiled functions");
    return functions + ", " + kernels + (kernels == 1 ? " kernel" : " kernels");
  }

  private static String milliseconds(long nanos) {
    return "%.1f ms".formatted(nanos / 1e6);
  }

  private Program compiled(CompileOptions options) {
    LoadOptions load = model.in(LoadOptions.DEFAULT);
    for (Map.Entry<String, Long> size : bind.entrySet()) {
      load = load.withSetting("bind", size.getKey() + "=" + size.getValue());
    }
    try (LoadBar bar = new LoadBar(console)) {
      return SourceModel.of(file, load.withProgress(bar)).compile(options);
    }
  }

  private CompileOptions options() {
    CompileOptions options = CompileOptions.DEFAULT.withScalars(scalars).withExecMode(execMode);
    options = noFuse ? options.withoutFusion() : options;
    options = noPlan ? options.withoutPlan() : options;
    options = planForParallelism ? options.withPlanForParallelism() : options;
    options = noErrorContexts ? options.withoutErrorContexts() : options;
    if (!pipeline.isEmpty()) {
      PassPipeline passes = chosenPasses();
      options = options.withPipeline(_ -> passes);
    }
    return printAfter.isEmpty() ? options : options.withObserver(this::print);
  }

  private PassPipeline chosenPasses() {
    if (noFuse || noPlan) {
      throw new CallException(
          ErrorKind.VALUE,
          (noFuse ? "--no-fuse" : "--no-plan")
              + " changes the standard passes, but --pipeline replaces them\n  what to do: leave"
              + " the pass out of the list");
    }
    return PassRegistry.discover().pipeline(pipeline);
  }

  private void print(Pass pass, IRModule before, IRModule after, long nanos) {
    if (printAfter.contains(ALL) || printAfter.contains(pass.name())) {
      console.out().println("# after " + pass.name());
      console.out().println(RelaxText.print(after));
    }
  }

  private void requirePasses(CompileOptions options) {
    List<String> names = Compiler.pipeline(options).names();
    for (String name : printAfter) {
      if (!name.equals(ALL) && !names.contains(name)) {
        throw new CallException(
            ErrorKind.VALUE,
            "there is no pass '" + name + "'\n  passes: " + String.join(", ", names));
      }
    }
  }
}
