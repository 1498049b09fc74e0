package org.relaxvm.cli.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.cli.measure.VectorWidths;
import org.relaxvm.cli.measure.WidthSpeed;
import org.relaxvm.cli.output.CodeOrigin;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.compiler.pass.PassProviders;
import org.relaxvm.vmcore.program.ProgramReader;
import org.relaxvm.vmcore.program.ProgramReaders;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists every provider and device, usable or why not. */
@Command(
    name = "doctor",
    aliases = "devices",
    description =
        "Lists backends, devices and plugins; says what is unusable, why, and what to do.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "The exit code is 0 whatever is found, unless a remote device cannot be reached."
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final String OK = "ok       ";
  private static final String BROKEN = "broken   ";
  private static final String NONE =
      "none: put backend jars on the class path, into plugins/, or name a folder with --plugins";

  private final Console console;

  @Option(names = "--json", description = "Print one JSON object.")
  boolean json;

  @Option(
      names = "--measure",
      description = "Also measure which vector width is the fastest on this CPU; takes seconds.")
  boolean measure;

  @Option(
      names = {"-d", "--device"},
      paramLabel = "DEVICE",
      description =
          "Also connect to a remote device, such as rpc://192.168.0.7:9091/opencl:0, and show what"
              + " its server says of it; repeat for several.")
  List<String> devices = List.of();

  @Mixin BackendSettings backends = new BackendSettings();

  /** Creates the command. */
  public DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (BackendRegistry registry = BackendRegistry.discover()) {
      backends.values.forEach(registry::option);
      devices.forEach(registry::require);
      List<Diagnosis> diagnoses = new ArrayList<>(registry.diagnoseDevices());
      ProgramReaders readers = ProgramReaders.discover();
      Set<String> origins = new HashSet<>();
      diagnoses.addAll(ObjectTypes.discover().diagnose());
      diagnoses.addAll(PassProviders.discover().diagnoses());
      diagnoses.forEach(found -> origins.add(found.origin()));
      readers.readers().forEach(reader -> origins.add(CodeOrigin.of(reader.getClass())));
      diagnoses.addAll(PluginFolders.diagnoses(origins));
      List<WidthSpeed> speeds = measure ? VectorWidths.measure() : List.of();
      if (json) {
        console.out().println(JsonText.of(asJson(diagnoses, readers, speeds)));
      } else {
        print(diagnoses, readers);
        print(speeds);
      }
    }
    return 0;
  }

  private void print(List<Diagnosis> diagnoses, ProgramReaders readers) {
    heading("Java");
    TextTable java = new TextTable();
    machine().forEach((name, value) -> java.row(name, value));
    java.lines("  ").forEach(console.out()::println);
    heading("Plugin folders");
    List<String> folders = PluginFolders.names();
    if (folders.isEmpty()) {
      console.out().println("  none");
    }
    folders.forEach(folder -> console.out().println("  " + folder));
    heading("Backends");
    print(diagnoses, Diagnosis.Role.BACKEND, NONE);
    heading("Function providers");
    print(diagnoses, Diagnosis.Role.FUNCTIONS, NONE);
    heading("Object types");
    print(diagnoses, Diagnosis.Role.OBJECT_TYPES, "none");
    heading("Passes of other jars");
    print(diagnoses, Diagnosis.Role.PASSES, "none");
    heading("Program readers");
    for (ProgramReader reader : readers.readers()) {
      String mark = console.styled(Console.Style.GOOD, OK);
      console.out().println("  " + mark + reader.name() + "  " + CodeOrigin.of(reader.getClass()));
      console.out().println(reader.describe().indent(6).stripTrailing());
    }
    for (String problem : readers.problems()) {
      console.out().println("  " + console.styled(Console.Style.BAD, BROKEN) + problem);
    }
    heading("Other jars");
    print(diagnoses, Diagnosis.Role.JAR, "none");
  }

  private void print(List<Diagnosis> diagnoses, Diagnosis.Role role, String none) {
    List<Diagnosis> found = diagnoses.stream().filter(d -> d.role() == role).toList();
    if (found.isEmpty()) {
      console.out().println("  " + none);
    }
    for (Diagnosis diagnosis : found) {
      console.out().println("  " + mark(diagnosis) + diagnosis.name() + "  " + diagnosis.origin());
      if (!diagnosis.detail().isEmpty()) {
        console.out().println(diagnosis.detail().indent(6).stripTrailing());
      }
      if (!diagnosis.remedy().isEmpty()) {
        console.out().println(("what to do: " + diagnosis.remedy()).indent(6).stripTrailing());
      }
      TextTable facts = new TextTable();
      diagnosis.facts().forEach((name, value) -> facts.row(name, value));
      facts.lines("      ").forEach(console.out()::println);
      for (Diagnosis.FoundDevice device : diagnosis.devices()) {
        console.out().println("      " + device.id() + "  " + device.properties().name());
        TextTable details = new TextTable();
        details.row("memory", memory(device.properties().totalMemoryBytes()));
        device.properties().details().forEach((name, value) -> details.row(name, value));
        details.lines("        ").forEach(console.out()::println);
      }
      printOptions(diagnosis);
    }
  }

  private void printOptions(Diagnosis diagnosis) {
    TextTable options = new TextTable();
    for (BackendOption option : diagnosis.options()) {
      options.row(
          "option " + diagnosis.name() + "." + option.name(),
          option.description()
              + " ("
              + option.type()
              + "; default: "
              + (option.defaultValue().isEmpty() ? "none" : option.defaultValue())
              + (option.processWide() ? "; only by -D" + option.property() : "")
              + ")");
    }
    options.lines("      ").forEach(console.out()::println);
  }

  private void print(List<WidthSpeed> speeds) {
    if (speeds.isEmpty()) {
      return;
    }
    heading("Vector widths of the CPU, measured with GEMM");
    double fastest = speeds.stream().mapToDouble(WidthSpeed::gflops).max().orElse(0);
    for (WidthSpeed speed : speeds) {
      String result =
          speed.problem().isEmpty()
              ? String.format(Locale.ROOT, "%7.1f GFLOP/s", speed.gflops())
              : "did not run: " + speed.problem();
      console.out().println("  " + speed.bits() + " bits  " + result);
      if (speed.gflops() == fastest && fastest > 0) {
        console.out().println("      the fastest; to set it: " + VectorWidths.flag(speed.bits()));
      }
    }
  }

  private void heading(String text) {
    console.out().println(console.styled(Console.Style.BOLD, text));
  }

  private String mark(Diagnosis diagnosis) {
    return switch (diagnosis.state()) {
      case USABLE ->
          diagnosis.remedy().isEmpty()
              ? console.styled(Console.Style.GOOD, OK)
              : console.styled(Console.Style.WARN, "note     ");
      case UNUSABLE -> console.styled(Console.Style.WARN, "unusable ");
      case BROKEN -> console.styled(Console.Style.BAD, BROKEN);
    };
  }

  private static String memory(long bytes) {
    return bytes == 0
        ? "unknown"
        : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }

  private static Map<String, String> machine() {
    Map<String, String> facts = new LinkedHashMap<>();
    Runtime runtime = Runtime.getRuntime();
    facts.put("version", System.getProperty("java.runtime.version"));
    facts.put("vm", System.getProperty("java.vm.name"));
    facts.put("home", System.getProperty("java.home"));
    facts.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    facts.put("processors", String.valueOf(runtime.availableProcessors()));
    facts.put("largest heap", memory(runtime.maxMemory()));
    facts.put("relaxvm", Version.text());
    return facts;
  }

  private static Map<String, Object> asJson(
      List<Diagnosis> diagnoses, ProgramReaders readers, List<WidthSpeed> speeds) {
    List<Object> providers = new ArrayList<>();
    for (Diagnosis diagnosis : diagnoses) {
      Map<String, Object> provider = new LinkedHashMap<>();
      provider.put("role", diagnosis.role().name().toLowerCase(Locale.ROOT));
      provider.put("name", diagnosis.name());
      provider.put("class", diagnosis.providerClass());
      provider.put("origin", diagnosis.origin());
      provider.put("state", diagnosis.state().name().toLowerCase(Locale.ROOT));
      provider.put("detail", diagnosis.detail());
      provider.put("remedy", diagnosis.remedy());
      provider.put("facts", diagnosis.facts());
      if (!diagnosis.options().isEmpty()) {
        provider.put("options", diagnosis.options().stream().map(DoctorCommand::asJson).toList());
      }
      List<Object> devices = new ArrayList<>();
      for (Diagnosis.FoundDevice found : diagnosis.devices()) {
        Map<String, Object> device = new LinkedHashMap<>();
        device.put("id", found.id().toString());
        device.put("name", found.properties().name());
        device.put("memory_bytes", found.properties().totalMemoryBytes());
        device.put("details", found.properties().details());
        devices.add(device);
      }
      provider.put("devices", devices);
      providers.add(provider);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("java", machine());
    object.put("plugin_folders", PluginFolders.names());
    object.put("providers", providers);
    List<Object> formats = new ArrayList<>();
    for (ProgramReader reader : readers.readers()) {
      formats.add(
          Map.of(
              "name",
              reader.name(),
              "detail",
              reader.describe(),
              "class",
              reader.getClass().getName(),
              "origin",
              CodeOrigin.of(reader.getClass())));
    }
    object.put("program_readers", formats);
    object.put("program_reader_problems", readers.problems());
    if (!speeds.isEmpty()) {
      object.put("vector_widths", speeds.stream().map(DoctorCommand::asJson).toList());
    }
    return object;
  }

  private static Map<String, Object> asJson(WidthSpeed speed) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("bits", speed.bits());
    object.put("gflops", speed.gflops());
    object.put("problem", speed.problem());
    return object;
  }

  private static Map<String, Object> asJson(BackendOption option) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", option.name());
    fields.put("type", option.type());
    fields.put("default", option.defaultValue());
    fields.put("property", option.property());
    fields.put("process", option.processWide());
    fields.put("description", option.description());
    return fields;
  }
}
