package org.relaxvm.interoprelay.release.file;

import static org.relaxvm.interoprelay.release.ReleasedInstruction.NONE;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * One reading of a byte string as a file of one format. Source: docs/spec/relay-register-vm.md,
 * section 15.3.
 */
final class ExecutableParse {
  /** No function of those compilers needs as many; a frame is an array of this size. */
  static final int MOST_REGISTERS = 1 << 24;

  static final FormatProblem PROBLEM = FormatProblem.of("malformed executable of the Relay VM");
  private static final int LEAST_TENSOR_BYTES = 40;
  private static final int LEAST_TAGGED_BYTES = 12;

  /** Counts of header strings, parameter names and three strings with their lengths. */
  private static final int LEAST_FUNCTION_BYTES = 40;

  private static final int HEADER_STRINGS = 3;

  private final ByteCursor in;
  private final FileFormat format;
  private final Arena copies = Arena.ofAuto();

  ExecutableParse(ByteCursor in, FileFormat format) {
    this.in = in;
    this.format = format;
  }

  ReleasedExecutable parse() {
    in.section(PROBLEM);
    in.i64("magic");
    String version = in.string("version");
    List<ReleasedDevice> devices = format.hasDeviceTable() ? devices() : List.of();
    int host = format.hasDeviceTable() ? host(devices) : NONE;
    List<String> names = names("function name");
    List<ReleasedConstant> constants = constants();
    List<Integer> constantDevices =
        format.hasDevices() ? deviceIndices(constants.size(), "constant") : List.of();
    List<String> packed = names("packed function");
    Map<Integer, Map<String, String>> attributes =
        format.packedAttributes ? packedAttributes(packed.size()) : Map.of();
    List<ReleasedFunction> functions = functions(names);
    in.section(PROBLEM);
    if (in.remaining() > 0) {
      throw in.fail(
          in.position(),
          "end of the file",
          "no more bytes",
          in.remaining() + " bytes",
          "cut the file there if it was padded; otherwise copy, download or build it again");
    }
    return new ReleasedExecutable(
        version,
        format.era,
        devices,
        host,
        functions,
        constants,
        constantDevices,
        packed,
        attributes);
  }

  private List<ReleasedDevice> devices() {
    int count = in.count("number of devices", format.hasMemoryScopes() ? 16 : 8);
    List<ReleasedDevice> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      in.item("device", i, count);
      int type = in.i32("device type");
      int id = in.i32("device id");
      devices.add(
          new ReleasedDevice(type, id, format.hasMemoryScopes() ? in.string("memory scope") : ""));
    }
    in.section(PROBLEM);
    return devices;
  }

  private int host(List<ReleasedDevice> devices) {
    long at = in.position();
    int host = in.i32("index of the host");
    if (host < 0 || host >= devices.size()) {
      throw in.fail(
          at,
          "index of the host",
          "an index of the " + devices.size() + " devices",
          Integer.toString(host),
          ByteCursor.DAMAGED);
    }
    return host;
  }

  private List<String> names(String field) {
    int count = in.count("number of " + field + "s", Long.BYTES);
    Set<String> seen = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      in.item(field, i, count);
      long at = in.position();
      String name = in.string("name");
      if (!seen.add(name)) {
        throw in.fail(at, "name", "each name once", "'" + name + "' again", ByteCursor.DAMAGED);
      }
      names.add(name);
    }
    in.section(PROBLEM);
    return names;
  }

  private List<ReleasedConstant> constants() {
    boolean tagged = format.hasDeviceTable();
    int count = in.count("number of constants", tagged ? LEAST_TAGGED_BYTES : LEAST_TENSOR_BYTES);
    List<ReleasedConstant> constants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      in.item("constant", i, count);
      constants.add(constant(tagged));
    }
    in.section(PROBLEM);
    return constants;
  }

  private ReleasedConstant constant(boolean tagged) {
    long at = in.position();
    int tag = tagged ? in.i32("tag") : 0;
    return switch (tag) {
      case 0 -> new ReleasedConstant.Stored(TensorBlob.read(in, copies));
      case 1 -> new ReleasedConstant.LateBound(in.string("name"));
      default ->
          throw in.fail(
              at,
              "tag",
              "0 (tensor) or 1 (name of a tensor that is given later)",
              Integer.toUnsignedString(tag),
              ByteCursor.DAMAGED);
    };
  }

  private List<Integer> deviceIndices(int count, String what) {
    long at = in.position();
    int found = in.count("number of devices", Long.BYTES);
    if (found != count) {
      throw in.fail(
          at,
          "number of devices",
          count + ", one per " + what,
          Integer.toString(found),
          ByteCursor.DAMAGED);
    }
    List<Integer> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(smallNumber("device of " + what + " " + i));
    }
    return devices;
  }

  private int smallNumber(String field) {
    long at = in.position();
    long value = in.i64(field);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw in.fail(
          at, field, "0 to " + Integer.MAX_VALUE, Long.toString(value), ByteCursor.DAMAGED);
    }
    return (int) value;
  }

  private Map<Integer, Map<String, String>> packedAttributes(int packed) {
    int count = in.count("number of packed functions with attributes", 16);
    Map<Integer, Map<String, String>> all = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      in.item("entry of attributes", i, count);
      long at = in.position();
      int index = smallNumber("packed function");
      int size = in.count("number of attributes", 16);
      Map<String, String> attributes = new LinkedHashMap<>();
      for (int a = 0; a < size; a++) {
        attributes.put(in.string("attribute name"), in.string("attribute value"));
      }
      if (index >= packed || all.put(index, attributes) != null) {
        throw in.fail(
            at,
            "packed function",
            "an index below " + packed + " that is not there yet",
            Integer.toString(index),
            ByteCursor.DAMAGED);
      }
    }
    in.section(PROBLEM);
    return all;
  }

  private List<ReleasedFunction> functions(List<String> names) {
    long at = in.position();
    int count = in.count("number of functions", LEAST_FUNCTION_BYTES);
    if (count != names.size()) {
      throw in.fail(
          at,
          "number of functions",
          names.size() + ", one per function name",
          Integer.toString(count),
          ByteCursor.DAMAGED);
    }
    Map<String, Integer> indices = new HashMap<>();
    for (int i = 0; i < count; i++) {
      indices.put(names.get(i), i);
    }
    ReleasedFunction[] functions = new ReleasedFunction[count];
    for (int i = 0; i < count; i++) {
      in.item("function", i, count);
      long nameAt = in.position();
      ReleasedFunction function = function();
      Integer index = indices.remove(function.name());
      if (index == null) {
        throw in.fail(
            nameAt,
            "name",
            "a function name of the file that has no code yet",
            "'" + function.name() + "'",
            ByteCursor.DAMAGED);
      }
      functions[index] = function;
    }
    return List.of(functions);
  }

  private ReleasedFunction function() {
    long at = in.position();
    int strings = in.count("number of header strings", Long.BYTES);
    if (strings != HEADER_STRINGS) {
      throw in.fail(
          at,
          "number of header strings",
          "3: name, registers, instructions",
          Integer.toString(strings),
          ByteCursor.DAMAGED);
    }
    String name = in.string("name");
    int registers = decimal("size of the register file", MOST_REGISTERS);
    long countAt = in.position();
    int instructions = decimal("number of instructions", Integer.MAX_VALUE);
    int paramCount = in.count("number of parameter names", Long.BYTES);
    List<String> params = new ArrayList<>();
    for (int i = 0; i < paramCount; i++) {
      params.add(in.string("parameter name"));
    }
    List<Integer> devices =
        format.hasDevices() ? deviceIndices(paramCount, "parameter") : List.of();
    long most = in.remaining() / InstructionParse.leastBytes();
    if (instructions > most) {
      throw in.fail(
          countAt,
          "number of instructions",
          "at most " + most + ", for " + in.remaining() + " bytes are left",
          Integer.toString(instructions),
          ByteCursor.CUT_SHORT);
    }
    FormatProblem problem = FormatProblem.of(PROBLEM.text() + ": function '" + shown(name) + "'");
    FormatProblem before = in.problem(problem);
    List<ReleasedInstruction> code = new InstructionParse(in, format.era).readAll(instructions);
    in.problem(before);
    return new ReleasedFunction(name, params, devices, registers, code);
  }

  private int decimal(String field, int most) {
    long at = in.position();
    String text = in.string(field);
    if (text.length() > 10 || !text.matches("[0-9]+") || Long.parseLong(text) > most) {
      throw in.fail(
          at,
          field,
          "a decimal number from 0 to " + most,
          "\"" + shown(text) + "\"",
          ByteCursor.DAMAGED);
    }
    return Integer.parseInt(text);
  }

  /** A string from the file that cannot disturb the terminal or flood the message. */
  static String shown(String text) {
    String cut = text.length() <= 40 ? text : text.substring(0, 40) + "...";
    return cut.replaceAll("\\p{Cntrl}", "?");
  }
}
