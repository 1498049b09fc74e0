package org.relaxvm.interoprelay.proposal.text;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayModule;

/** Prints a module: constants, packed functions, functions with an index before each line. */
final class ModulePrinter {
  private ModulePrinter() {}

  static String print(RelayModule module) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < module.constants().size(); i++) {
      text.append("const ").append(i).append(" = ");
      Literals.print(text, module.constants().get(i));
      text.append('\n');
    }
    for (int i = 0; i < module.packed().size(); i++) {
      text.append("packed ").append(i).append(" = ");
      text.append(Quoting.quote(module.packed().get(i))).append('\n');
    }
    InstructionPrinter printer = new InstructionPrinter(new FunctionNames(module.functions()));
    for (RelayFunction function : module.functions()) {
      function(text, function, printer);
    }
    return text.toString();
  }

  private static void function(
      StringBuilder text, RelayFunction function, InstructionPrinter printer) {
    if (!FunctionNames.isName(function.name())) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a function named "
              + Quoting.quote(function.name())
              + " has no text form\n  expected: a letter or '_', then letters, digits, '_', '.' and"
              + " '$'\n  what to do: rename it");
    }
    text.append("func @").append(function.name()).append('(').append(function.params());
    text.append(") {\n");
    int width = String.valueOf(function.code().size() - 1).length();
    for (int i = 0; i < function.code().size(); i++) {
      String index = String.valueOf(i);
      text.append("  ").append(" ".repeat(width - index.length())).append(index).append(": ");
      text.append(printer.print(function.code().get(i))).append('\n');
    }
    text.append("}\n");
  }
}
