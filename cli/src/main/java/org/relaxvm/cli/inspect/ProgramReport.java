package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.cli.output.Shortened;
import org.relaxvm.cli.output.TextTable;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;

/** A program's parts, as lines or as JSON. */
public final class ProgramReport {
  private static final int MAX_TEXT = 60;
  private static final int MOST_ROWS = 60;

  private final Program program;
  private final Executable executable;
  private final ProgramMetadata metadata;
  private final List<NeededFunction> needed;

  /** A report on a program whose needed functions were looked up. */
  public ProgramReport(Program program, List<NeededFunction> needed) {
    this.program = program;
    this.executable = program.executable();
    this.metadata = program.metadata();
    this.needed = needed;
  }

  /** The report for people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(program.source());
    if (!metadata.name().isEmpty()) {
      lines.add(
          metadata.name()
              + (metadata.description().isEmpty() ? "" : ": " + metadata.description()));
    }
    for (HostCode code : program.hostCode()) {
      lines.add("");
      lines.addAll(new LibraryReport(code, program.source()).lines());
    }
    lines.add("");
    lines.add("Functions");
    lines.addAll(Shortened.rows(functions().lines("  "), MOST_ROWS));
    if (!metadata.inputs().isEmpty() || !metadata.outputs().isEmpty()) {
      lines.add("");
      lines.add("Interface of " + metadata.function());
      metadata.inputs().forEach(spec -> lines.add("  in   " + spec));
      metadata.outputs().forEach(spec -> lines.add("  out  " + spec));
      metadata
          .image()
          .ifPresent(
              spec ->
                  lines.add(
                      "  image for "
                          + spec.input()
                          + ": "
                          + spec.width()
                          + " x "
                          + spec.height()
                          + " "
                          + spec.colour()
                          + (spec.invert() ? ", inverted" : "")));
      if (!metadata.labels().isEmpty()) {
        lines.add("  labels " + String.join(", ", metadata.labels()));
      }
    }
    lines.add("");
    lines.add(
        "Constants ("
            + executable.constants().size()
            + ", "
            + constantBytes()
            + " bytes of tensors)");
    lines.addAll(Shortened.rows(constants().lines("  "), MOST_ROWS));
    lines.addAll(DeviceReport.of(program).lines());
    lines.addAll(new KernelReport(program).lines());
    lines.addAll(memory());
    lines.add("");
    lines.add("Needed functions (" + needed.size() + ")");
    lines.addAll(Shortened.rows(neededFunctions().lines("  "), MOST_ROWS));
    return lines;
  }

  /** In table order, but where the list is cut, those that are missing come first. */
  private TextTable neededFunctions() {
    List<NeededFunction> rows = new ArrayList<>(needed);
    if (rows.size() > MOST_ROWS) {
      rows.sort(Comparator.comparing(NeededFunction::found));
    }
    TextTable table = new TextTable();
    rows.forEach(f -> table.row(f.found() ? "ok" : "MISSING", f.name(), f.provider()));
    return table;
  }

  /** What functions allocate, where they do. */
  private List<String> memory() {
    List<String> lines = new ArrayList<>();
    for (FunctionInfo info : executable.functions()) {
      if (info.kind() == FunctionKind.VM) {
        MemoryPlan plan = MemoryPlan.of(executable, info);
        if (plan.storages() + plan.unknown() > 0) {
          lines.add("");
          lines.add("Memory of " + info.name());
          plan.lines().forEach(line -> lines.add("  " + line));
        }
      }
    }
    return lines;
  }

  private TextTable functions() {
    TextTable table = new TextTable();
    for (FunctionInfo info : executable.functions()) {
      if (info.kind() == FunctionKind.VM) {
        table.row(
            info.name() + parameters(info),
            (info.endInstr() - info.startInstr()) + " instructions",
            info.registerFileSize() + " registers");
      } else if (info.kind() == FunctionKind.VMTIR) {
        table.row(info.name() + parameters(info), "compiled", "");
      }
    }
    return table;
  }

  private static String parameters(FunctionInfo info) {
    return "("
        + (info.paramNames().isEmpty()
            ? info.numArgs() + " parameters"
            : String.join(", ", info.paramNames()))
        + ")";
  }

  private TextTable constants() {
    TextTable table = new TextTable();
    for (int i = 0; i < executable.constants().size(); i++) {
      String scope = executable.memoryScopes().getOrDefault(i, "");
      table.row("c[" + i + "]", describe(executable.constants().get(i)), scope);
    }
    return table;
  }

  private static String describe(Object constant) {
    String text =
        switch (constant) {
          case Tensor tensor -> "tensor " + tensor.dtype() + tensor.shape();
          case String string -> "string \"" + string + '"';
          case Shape shape -> "shape " + shape;
          case DType dtype -> "dtype " + dtype;
          default -> TypeKeys.of(constant) + " " + constant;
        };
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
  }

  private long constantBytes() {
    long bytes = 0;
    for (Object constant : executable.constants()) {
      bytes += constant instanceof Tensor tensor ? tensor.byteSize() : 0;
    }
    return bytes;
  }

  /** The report as a JSON object. */
  public Map<String, Object> json() {
    List<Object> functions = new ArrayList<>();
    for (FunctionInfo info : executable.functions()) {
      if (info.kind() != FunctionKind.PACKED) {
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", info.name());
        function.put("parameters", info.numArgs());
        function.put("parameter_names", info.paramNames());
        function.put("instructions", info.endInstr() - info.startInstr());
        function.put("registers", info.registerFileSize());
        if (info.kind() == FunctionKind.VM) {
          function.put("memory", MemoryPlan.of(executable, info).json());
        }
        functions.add(function);
      }
    }
    List<Object> wanted = new ArrayList<>();
    for (NeededFunction function : needed) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", function.name());
      row.put("found", function.found());
      row.put("provider", function.provider());
      wanted.add(row);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("source", program.source());
    object.put("name", metadata.name());
    object.put("functions", functions);
    object.put("inputs", metadata.inputs().stream().map(Object::toString).toList());
    object.put("outputs", metadata.outputs().stream().map(Object::toString).toList());
    object.put("labels", metadata.labels());
    object.put("constants", executable.constants().stream().map(ProgramReport::describe).toList());
    object.put("constant_bytes", constantBytes());
    object.put("needed_functions", wanted);
    object.put(
        "libraries",
        program.hostCode().stream()
            .map(code -> new LibraryReport(code, program.source()).json())
            .toList());
    if (!metadata.devices().isEmpty()) {
      object.put("placement", DeviceReport.of(program).json());
    }
    object.put("kernel_images", new KernelReport(program).json());
    return object;
  }
}
