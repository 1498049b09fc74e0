package org.relaxvm.vmcore.executable;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * One reading of a byte string as a file of one era. Source: docs/spec/executable-format.md,
 * section 2.
 */
final class ExecutableParse {
  static final String VERSION = "0.14";

  // Kind, name length, four numbers, and the number of parameter names.
  private static final int FUNCTION_BYTES = 52;

  private final ByteCursor in;
  private final Era era;
  private final Arena copies = Arena.ofAuto();

  ExecutableParse(ByteCursor in, Era era) {
    this.in = in;
    this.era = era;
  }

  Executable parse() {
    in.section(FileSection.HEADER.problem());
    in.i64("magic");
    version();
    List<FunctionInfo> functions = functions();
    Map<Integer, String> scopes = era.hasMemoryScopes() ? memoryScopes() : Map.of();
    List<Object> constants = constants();
    in.section(FileSection.INSTR_OFFSET.problem());
    long[] offsets = in.longs("instruction offsets");
    in.section(FileSection.INSTR_DATA.problem());
    long[] words = in.longs("instruction words");
    return Executable.ofOwned(functions, constants, scopes, offsets, words);
  }

  private void version() {
    in.section(FileSection.VERSION.problem());
    long at = in.position();
    String version = in.string("version");
    if (!version.equals(VERSION)) {
      throw in.fail(
          at,
          "version",
          "\"" + VERSION + "\"",
          "\"" + printable(version) + "\"",
          "the file follows another version of the format: compile the program with a release that"
              + " writes version "
              + VERSION);
    }
  }

  private List<FunctionInfo> functions() {
    in.section(FileSection.GLOBALS.problem());
    int count = in.count("number of functions", FUNCTION_BYTES);
    List<FunctionInfo> functions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      in.item("function", i, count);
      FunctionKind kind = functionKind();
      String name = in.string("name");
      long start = in.i64("first instruction");
      long end = in.i64("end of instructions");
      long numArgs = in.i64("number of arguments");
      long registers = in.i64("size of the register file");
      int nameCount = in.count("number of parameter names", 8);
      List<String> paramNames = new ArrayList<>();
      for (int p = 0; p < nameCount; p++) {
        paramNames.add(in.string("parameter name"));
      }
      functions.add(new FunctionInfo(kind, name, start, end, numArgs, registers, paramNames));
    }
    return functions;
  }

  private FunctionKind functionKind() {
    long at = in.position();
    int kind = in.i32("kind");
    FunctionKind[] kinds = FunctionKind.values();
    if (kind < 0 || kind >= kinds.length) {
      throw in.fail(
          at,
          "kind",
          "0 (packed), 1 (VM) or 2 (compiled)",
          Integer.toString(kind),
          ByteCursor.DAMAGED);
    }
    return kinds[kind];
  }

  private Map<Integer, String> memoryScopes() {
    in.section(FileSection.MEMORY_SCOPES.problem());
    int count = in.count("number of memory scopes", 16);
    Map<Integer, String> scopes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      in.item("memory scope", i, count);
      long at = in.position();
      long constant = in.i64("index of the constant");
      String scope = in.string("scope");
      boolean fits = constant == (int) constant;
      if (!fits || scopes.putIfAbsent((int) constant, scope) != null) {
        throw in.fail(
            at,
            "index of the constant",
            fits ? "an index that is not there yet" : "an index of the constant pool",
            Long.toString(constant),
            ByteCursor.DAMAGED);
      }
    }
    return scopes;
  }

  private List<Object> constants() {
    in.section(FileSection.CONSTANT.problem());
    int count = in.count("number of constants", 4);
    List<Object> constants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      in.item("constant", i, count);
      constants.add(constant());
    }
    return constants;
  }

  private Object constant() {
    ConstantKind kind = constantKind();
    return switch (kind) {
      case INT -> in.i64("integer");
      case FLOAT -> Double.longBitsToDouble(in.i64("float"));
      case DTYPE -> TensorBlob.readDType(in);
      case SHAPE -> Shape.ofOwned(in.longs("extents"));
      case TENSOR -> TensorBlob.read(in, copies);
      case STRING -> {
        FormatProblem before = in.problem(FileSection.CONSTANT_STRING.problem());
        String text = in.string("string");
        in.problem(before);
        yield text;
      }
    };
  }

  private ConstantKind constantKind() {
    long at = in.position();
    int tag = in.i32("type index");
    return era.kind(tag)
        .orElseThrow(
            () -> {
              String type = ConstantKind.typeKey(tag);
              in.problem(
                  new FormatProblem(
                      "a constant of the executable cannot be of type " + type,
                      "Constant pool can only contain Tensor and DLDataType, but got "
                          + type
                          + " when loading the VM constant pool."));
              return in.fail(
                  at, "type index", expectedTags(), Integer.toString(tag), ByteCursor.DAMAGED);
            });
  }

  private String expectedTags() {
    StringBuilder text = new StringBuilder("in era ").append(era).append(' ');
    String separator = "";
    for (ConstantKind kind : ConstantKind.values()) {
      text.append(separator).append(era.tag(kind)).append(" (");
      text.append(kind.name().toLowerCase(Locale.ROOT)).append(')');
      separator = ", ";
    }
    return text.toString();
  }

  /** A text from the file that cannot disturb the terminal or flood the message. */
  private static String printable(String text) {
    String shown = text.length() <= 40 ? text : text.substring(0, 40) + "...";
    return shown.replaceAll("\\p{Cntrl}", "?");
  }
}
