package org.relaxvm.cli.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.cli.inspect.ObjectFile;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.Shortened;
import org.relaxvm.compiler.file.ModuleFile;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.program.HostFunctions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a program or a module in another format; the ending of the output decides which. */
@Command(
    name = "convert",
    description = "Writes a program or a module in another format.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The ending of FILE decides the format:",
      "",
      "  .relax   Relax IR as text",
      "  .json    Relax IR as a JSON graph that Apache TVM reads",
      "  others   bytecode and constants as a bare VM executable, in Apache TVM's binary format",
      "           of release 0.23 and later. It cannot hold machine code, device kernels, names",
      "           and labels; the command reports what it omits.",
      "",
      "A JSON graph that is read may be of any release since 0.22.",
      "",
      "  relaxvm convert model.relax -o model.json --tvm 0.24",
      "  relaxvm convert model.so --output model.bin"
    })
public final class ConvertCommand implements Callable<Integer> {
  private static final int MOST_NAMES = 8;

  private final Console console;

  @Parameters(paramLabel = "PROGRAM", description = ProgramOptions.PROGRAM_FILE)
  Path program = Path.of("");

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write.")
  Path output = Path.of("");

  @Option(
      names = "--tvm",
      paramLabel = "RELEASE",
      description =
          "The release of Apache TVM that reads the JSON graph, from 0.22 on (default: 0.26).")
  String release = TvmRelease.newest().text();

  @Option(names = "--force", description = "Replace FILE if it exists.")
  boolean force;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  /** Creates the command. */
  public ConvertCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Path file = output.toAbsolutePath();
    // Also a link that leads nowhere would be replaced.
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new CallException(
          ErrorKind.IO,
          file + " exists\n  what to do: name another file, or replace it with --force");
    }
    TvmRelease reader = TvmRelease.parse(release);
    if (ModuleFile.isModule(file)) {
      ModuleFile.write(ObjectFile.module(program), reader, file);
      print(file, byteSize(file), Omitted.NOTHING);
      return 0;
    }
    Program loaded = Program.load(program);
    requireNoHostFunctions(loaded);
    AtomicFile.write(
        file,
        channel -> ExecutableWriter.write(loaded.executable(), Channels.newOutputStream(channel)));
    print(file, ExecutableWriter.byteSize(loaded.executable()), Omitted.of(loaded));
    return 0;
  }

  private static void requireNoHostFunctions(Program program) {
    for (HostFunctions functions : program.hostFunctions()) {
      throw new CallException(
          ErrorKind.VALUE,
          "an executable cannot hold "
              + functions.origin()
              + "\n  what to do: "
              + functions.remedy());
    }
  }

  private static long byteSize(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void print(Path file, long bytes, Omitted omitted) {
    if (json) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("written", file.toString());
      object.put("bytes", bytes);
      object.put("left_behind", omitted.json());
      console.out().println(JsonText.of(object));
      return;
    }
    console.out().println("wrote " + file + ": " + bytes + " bytes");
    line("machine code of ", "function", omitted.functions());
    line("", "device kernel", omitted.kernels());
    if (omitted.metadata()) {
      console.out().println("left behind: the program's metadata");
    }
  }

  private void line(String what, String unit, List<String> names) {
    if (!names.isEmpty()) {
      String count = names.size() == 1 ? "1 " + unit : names.size() + " " + unit + "s";
      console
          .out()
          .println("left behind: " + what + count + ": " + Shortened.names(names, MOST_NAMES));
    }
  }

  /**
   * What a bare executable cannot hold.
   *
   * @param functions names of the functions in machine code for the host
   * @param kernels names of the kernels for devices
   * @param metadata whether the program says anything of itself
   */
  private record Omitted(List<String> functions, List<String> kernels, boolean metadata) {
    static final Omitted NOTHING = new Omitted(List.of(), List.of(), false);

    static Omitted of(Program program) {
      return new Omitted(
          program.hostCode().stream().flatMap(c -> c.functionNames().stream()).sorted().toList(),
          program.modules().stream().flatMap(m -> m.image().symbols().stream()).toList(),
          !program.metadata().equals(ProgramMetadata.EMPTY));
    }

    Map<String, Object> json() {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("machine_code_functions", functions);
      object.put("kernels", kernels);
      object.put("metadata", metadata);
      return object;
    }
  }
}
