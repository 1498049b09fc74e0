package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.cli.inspect.NeededFunction;
import org.relaxvm.cli.inspect.NeededFunctions;
import org.relaxvm.cli.inspect.ProgramReport;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmReader;
import org.relaxvm.vmcore.text.AsJava;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.text.FullText;
import org.relaxvm.vmcore.text.Stats;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a program is made of, without running it. */
@Command(
    name = "inspect",
    description = "Shows what a program is made of, without running it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without a choice: functions, inputs and outputs, constants, and for each needed function"
          + " who",
      "provides it here."
    })
public final class InspectCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "PROGRAM",
      description = "A .rvm package, a VM executable or a text program.")
  Path program = Path.of("");

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description = "Look for kernels on this device (default: cpu).",
      defaultValue = "cpu")
  String device = "cpu";

  @ArgGroup Form form = new Form();

  @Option(names = "--verify", description = "Also check the digests of constants.")
  boolean verify;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** What to print; at most one. */
  static final class Form {
    @Option(names = "--text", description = "The instructions as Apache TVM prints them.")
    boolean text;

    @Option(names = "--full-text", description = "The whole program as text that can be run again.")
    boolean fullText;

    @Option(names = "--java", paramLabel = "CLASS", description = "Java source that builds it.")
    String java = "";

    @Option(names = "--python", description = "Apache TVM's Python builder calls.")
    boolean python;

    @Option(
        names = "--stats",
        description = "Constants and function names, as Apache TVM prints them.")
    boolean stats;
  }

  /** Creates the command. */
  public InspectCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Program loaded = Program.load(program);
    if (verify && isPackage()) {
      RvmReader.open(program).verifyAll();
    }
    Executable executable = loaded.executable();
    if (form.text) {
      console.out().print(ExecutableText.asText(executable));
    } else if (form.fullText) {
      console.out().print(FullText.print(executable));
    } else if (!form.java.isEmpty()) {
      console.out().print(AsJava.asJava(executable, form.java));
    } else if (form.python) {
      console.out().print(ExecutableText.asPython(executable));
    } else if (form.stats) {
      console.out().print(Stats.corrected(executable));
    } else {
      report(loaded);
    }
    return 0;
  }

  private void report(Program loaded) {
    List<NeededFunction> needed;
    try (BackendRegistry registry = BackendRegistry.discover()) {
      needed = new NeededFunctions(registry, device).of(loaded);
    }
    ProgramReport report = new ProgramReport(loaded, needed);
    if (json) {
      console.out().println(JsonText.of(report.json()));
      return;
    }
    List<String> lines = new ArrayList<>(report.lines());
    if (verify) {
      lines.add(isPackage() ? "all digests are right" : "no digests: only .rvm packages have them");
    }
    lines.forEach(console.out()::println);
  }

  private boolean isPackage() {
    return new RvmReader().accepts(FileHead.of(program));
  }
}
