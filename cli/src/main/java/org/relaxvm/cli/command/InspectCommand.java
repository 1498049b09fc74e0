package org.relaxvm.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.cli.inspect.NeededFunctions;
import org.relaxvm.cli.inspect.ObjectFile;
import org.relaxvm.cli.inspect.ObjectTree;
import org.relaxvm.cli.inspect.OnnxModelReport;
import org.relaxvm.cli.inspect.OnnxSupport;
import org.relaxvm.cli.inspect.ProgramReport;
import org.relaxvm.cli.inspect.SourceText;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.LoadBar;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxProgramReader;
import org.relaxvm.interoponnx.OnnxSettings;
import org.relaxvm.interoponnx.options.OnnxReport;
import org.relaxvm.objects.compare.AccessPath;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.Mismatch;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.release.ReleasedGraph;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.FormatSetting;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmReader;
import org.relaxvm.vmcore.text.AsJava;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.text.FullText;
import org.relaxvm.vmcore.text.Stats;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what a program is made of, without running it. */
@Command(
    name = "inspect",
    description = "Shows what a program consists of, without running it.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without an option, prints functions, inputs and outputs, constants, and the provider of",
      "each function that the program needs."
    })
public final class InspectCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(paramLabel = "PROGRAM", description = ProgramOptions.PROGRAM_FILE)
  Path program = Path.of("");

  @Mixin LoadFiles files = new LoadFiles();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description =
          "Search this device for kernels (default: the first that the program is placed on, else"
              + " cpu).")
  String device = "";

  @ArgGroup Form form = new Form();

  @Option(names = "--verify", description = "Also verify the checksums of constants.")
  boolean verify;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** What to print; at most one. */
  static final class Form {
    @Option(names = "--text", description = "Print the instructions as Apache TVM does.")
    boolean text;

    @Option(
        names = "--full-text",
        description = "Print the whole program as text that RelaxVM can run.")
    boolean fullText;

    @Option(
        names = "--java",
        paramLabel = "CLASS",
        description = "Print Java source that builds the program.")
    String java = "";

    @Option(names = "--python", description = "Print the calls of Apache TVM's Python builder.")
    boolean python;

    @Option(
        names = "--stats",
        description = "Print constants and function names as Apache TVM does.")
    boolean stats;

    @Option(
        names = "--ir",
        description =
            "Print the Relax IR from which the program was compiled, or the listing of the Relay VM"
                + " from which it was translated.")
    boolean ir;

    @Option(
        names = "--tree",
        paramLabel = "PATH",
        arity = "0..1",
        fallbackValue = "<root>",
        description =
            "Print a JSON graph, a Relax module, or the one that a package was compiled from, by"
                + " its fields; from a path on if given.")
    @Nullable String tree;

    @Option(
        names = "--diff",
        paramLabel = "FILE",
        description = "Compare with the object of another file, and print the first difference.")
    @Nullable Path diff;

    @Option(
        names = "--support",
        description =
            "Print all that keeps an ONNX model from being loaded; the exit code is 1 if anything"
                + " does.")
    boolean support;

    @Option(names = "--kernels", description = "Print the kernels of the program as text.")
    boolean kernels;

    /** Whether a listing of the program is wanted. */
    boolean isListing() {
      return ir || kernels || text || fullText || python || stats || !java.isEmpty();
    }

    /** The program in the chosen form; empty when none is chosen. */
    Optional<String> listing(Program program) {
      Executable executable = program.executable();
      if (ir) {
        return Optional.of(SourceText.ir(program));
      }
      if (kernels) {
        return Optional.of(SourceText.kernels(program));
      }
      if (text) {
        return Optional.of(ExecutableText.asText(executable));
      }
      if (fullText) {
        return Optional.of(FullText.print(executable));
      }
      if (python) {
        return Optional.of(ExecutableText.asPython(executable));
      }
      if (stats) {
        return Optional.of(Stats.corrected(executable));
      }
      return java.isEmpty() ? Optional.empty() : Optional.of(AsJava.asJava(executable, java));
    }
  }

  /** Creates the command. */
  public InspectCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (form.tree != null || form.diff != null) {
      return objects();
    }
    if (isOnnx() && (form.support || !form.isListing())) {
      return onnx(OnnxModel.open(program));
    }
    if (form.support) {
      throw new CallException(
          ErrorKind.VALUE,
          "'" + program + "' is no ONNX model, of which --support tells what is not supported");
    }
    Program loaded = files.load(program, console);
    if (verify && isPackage()) {
      RvmReader.open(program).verifyAll();
    }
    Optional<String> listing = form.listing(loaded);
    if (json) {
      Map<String, Object> object = new LinkedHashMap<>();
      listing.ifPresentOrElse(
          text -> object.put("listing", text), () -> object.putAll(report(loaded).json()));
      if (verify) {
        object.put("digests", isPackage() ? "right" : "none");
      }
      console.out().println(JsonText.of(object));
    } else if (listing.isPresent()) {
      console.out().print(listing.get());
    } else {
      report(loaded).lines().forEach(console.out()::println);
      if (verify) {
        console
            .out()
            .println(
                isPackage() ? "all digests are right" : "no digests: only .rvm packages have them");
      }
    }
    return 0;
  }

  private boolean isOnnx() {
    return new OnnxProgramReader().accepts(FileHead.of(program));
  }

  private int onnx(OnnxModel model) {
    if (!form.support) {
      requireNoSettings();
      OnnxModelReport report = new OnnxModelReport(model.proto());
      print(report.json(), report.lines());
      return 0;
    }
    OnnxReport report = check(model);
    print(OnnxSupport.json(report), OnnxSupport.lines(report));
    return report.isSupported() ? 0 : 1;
  }

  /** What an ONNX model consists of does not depend on what it is specialized to. */
  private void requireNoSettings() {
    if (!files.options().settings().isEmpty()) {
      FormatSetting first = files.options().settings().getFirst();
      throw new CallException(
          ErrorKind.VALUE,
          "--"
              + first.option()
              + " is about the program that an ONNX model becomes\n  got: --"
              + first.option()
              + " "
              + first.value()
              + "\n  what to do: leave it out, or show the program with --ir, --text, --kernels or"
              + " --stats, or what is not supported with --support");
    }
  }

  private OnnxReport check(OnnxModel model) {
    try (LoadBar bar = new LoadBar(console)) {
      return model.check(OnnxSettings.of(model, files.options().withProgress(bar)));
    }
  }

  private int objects() {
    ReleasedGraph graph = ObjectFile.read(program);
    if (form.tree != null) {
      AccessPath path = AccessPath.parse(form.tree);
      Object part = path.find(graph.graph().root(), graph.types());
      List<String> lines = ObjectTree.lines(part, path.toString(), graph.types());
      print(Map.of("tree", lines), lines);
      return 0;
    }
    return compare(graph, ObjectFile.read(Objects.requireNonNull(form.diff)));
  }

  /** Prints the first difference; objects of different releases as those of the newest. */
  private int compare(ReleasedGraph left, ReleasedGraph right) {
    boolean isOneRelease = left.release() == right.release();
    ObjectTypes types = isOneRelease ? left.types() : ObjectTypes.discover();
    Optional<Mismatch> difference =
        StructuralEquality.firstMismatch(
            isOneRelease ? left.graph().root() : left.upgraded(types),
            isOneRelease ? right.graph().root() : right.upgraded(types),
            types,
            new CompareOptions(true, false));
    if (difference.isEmpty()) {
      print(Map.of("equal", true), List.of("structurally equal"));
      return 0;
    }
    Mismatch first = difference.get();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("equal", false);
    fields.put("left", first.leftPath().toString());
    fields.put("right", first.rightPath().toString());
    String text = first.describe(types);
    fields.put("text", text);
    print(fields, List.of(text));
    return 1;
  }

  private void print(Map<String, Object> fields, List<String> lines) {
    if (json) {
      console.out().println(JsonText.of(fields));
    } else {
      lines.forEach(console.out()::println);
    }
  }

  private ProgramReport report(Program loaded) {
    try (BackendRegistry registry = BackendRegistry.discover()) {
      return new ProgramReport(
          loaded, new NeededFunctions(registry, mainDevice(loaded)).of(loaded));
    }
  }

  private String mainDevice(Program loaded) {
    List<DeviceId> placed = loaded.metadata().devices();
    return !device.isEmpty() ? device : placed.isEmpty() ? "cpu" : placed.getFirst().toString();
  }

  private boolean isPackage() {
    return new RvmReader().accepts(FileHead.of(program));
  }
}
