package org.relaxvm.vmcore.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** Rules on the function table. Source: docs/spec/executable-format.md, section 9, rules 2 to 4. */
final class FunctionRules {
  private final Executable executable;
  private final VerifyOptions options;
  private final Report report;

  FunctionRules(Executable executable, VerifyOptions options, Report report) {
    this.executable = executable;
    this.options = options;
    this.report = report;
  }

  void check() {
    Map<String, Integer> names = new HashMap<>();
    for (int i = 0; i < executable.functions().size(); i++) {
      FunctionInfo function = executable.functions().get(i);
      Integer earlier = names.putIfAbsent(function.name(), i);
      if (function.name().isEmpty()) {
        report.function(i, Rule.FUNCTION_NAME, "the name of a function is empty");
      } else if (earlier != null) {
        report.function(
            i, Rule.FUNCTION_NAME, "function " + earlier + " of the table has the same name");
      }
      int named = function.paramNames().size();
      if (named != 0 && named != function.numArgs()) {
        report.function(
            i,
            Rule.PARAMETER_NAMES,
            "expected no parameter names or one per argument, which are "
                + function.numArgs()
                + ", but got "
                + named);
      }
      switch (function.kind()) {
        case PACKED -> packed(i, function);
        case VM -> {
          registers(i, function, 0);
          range(i, function);
        }
        case VMTIR -> registers(i, function, 1);
      }
    }
    overlaps();
  }

  private void packed(int index, FunctionInfo function) {
    if (function.numArgs() < 0 && function.numArgs() != FunctionInfo.DECLARED_ONLY) {
      report.function(
          index,
          Rule.PACKED_FUNCTION,
          "expected an argument count of 0 or more, or -2 for a function that is only called, but"
              + " got "
              + function.numArgs());
    }
  }

  private void registers(int index, FunctionInfo function, int results) {
    long args = function.numArgs();
    long registers = function.registerFileSize();
    if (args < 0 || args > registers - results || registers > options.maxRegisters()) {
      report.function(
          index,
          Rule.REGISTER_FILE,
          "expected 0 or more arguments and at least "
              + (results == 0 ? "as many registers" : "one register more for the result")
              + ", at most "
              + options.maxRegisters()
              + ", but got "
              + args
              + " arguments and "
              + registers
              + " registers");
    }
  }

  private void range(int index, FunctionInfo function) {
    if (!hasBody(executable, function)) {
      report.function(
          index,
          Rule.BODY_RANGE,
          "expected a first instruction below the end, and the end at most "
              + executable.instructionCount()
              + ", but got "
              + function.startInstr()
              + " to "
              + function.endInstr());
    }
  }

  /** Whether the body is a non-empty range of instructions. */
  static boolean hasBody(Executable executable, FunctionInfo function) {
    return function.startInstr() >= 0
        && function.startInstr() < function.endInstr()
        && function.endInstr() <= executable.instructionCount();
  }

  private void overlaps() {
    List<Integer> bodies = new ArrayList<>();
    for (int i = 0; i < executable.functions().size(); i++) {
      FunctionInfo function = executable.functions().get(i);
      if (function.kind() == FunctionKind.VM && hasBody(executable, function)) {
        bodies.add(i);
      }
    }
    bodies.sort(Comparator.comparingLong(i -> executable.functions().get(i).startInstr()));
    for (int k = 1; k < bodies.size(); k++) {
      FunctionInfo before = executable.functions().get(bodies.get(k - 1));
      FunctionInfo function = executable.functions().get(bodies.get(k));
      if (function.startInstr() < before.endInstr()) {
        report.function(
            bodies.get(k),
            Rule.BODY_OVERLAP,
            "the instructions "
                + function.startInstr()
                + " to "
                + function.endInstr()
                + " overlap those of function "
                + bodies.get(k - 1)
                + ", which are "
                + before.startInstr()
                + " to "
                + before.endInstr());
      }
    }
  }
}
