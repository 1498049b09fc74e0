package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Finds the parameters of bytecode functions that no instruction reads. */
final class UnusedInputs {
  private UnusedInputs() {}

  /** A line for each, in the order of functions and parameters. */
  static List<String> warnings(Executable executable) {
    List<String> warnings = new ArrayList<>();
    for (FunctionInfo function : executable.functions()) {
      if (function.kind() == FunctionKind.VM) {
        BitSet read = read(executable, function);
        for (int i = read.nextClearBit(0); i < function.numArgs(); i = read.nextClearBit(i + 1)) {
          warnings.add(
              "parameter "
                  + (function.paramNames().isEmpty()
                      ? i
                      : i + " ('" + function.paramNames().get(i) + "')")
                  + " of function '"
                  + function.name()
                  + "' is never used");
        }
      }
    }
    return List.copyOf(warnings);
  }

  private static BitSet read(Executable executable, FunctionInfo function) {
    BitSet read = new BitSet();
    for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
      int at = (int) executable.offset((int) pc);
      switch (Opcode.of(executable.word(at)).orElseThrow()) {
        case CALL -> {
          for (int i = 0; i < executable.word(at + 3); i++) {
            Arg arg = Arg.ofWord(executable.word(at + 4 + i));
            if (arg.kind() == ArgKind.REGISTER) {
              read(read, arg.value(), function);
            }
          }
        }
        case RET, IF -> read(read, executable.word(at + 1), function);
        case GOTO -> {}
      }
    }
    return read;
  }

  private static void read(BitSet read, long register, FunctionInfo function) {
    if (register >= 0 && register < function.numArgs()) {
      read.set((int) register);
    }
  }
}
