package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Opcode;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.verify.Verifier;

/** Writes small programs for tests, word by word. Functions that are only called are packed. */
final class TestProgram {
  static final long VOID = Arg.VOID_REGISTER;

  private final Map<String, Integer> index = new LinkedHashMap<>();
  private final List<FunctionInfo> functions = new ArrayList<>();
  private final List<Object> constants = new ArrayList<>();
  private final Map<Integer, String> scopes = new HashMap<>();
  private final List<Long> offsets = new ArrayList<>();
  private final List<Long> words = new ArrayList<>();

  static Arg r(long register) {
    return Arg.register(register);
  }

  static Arg imm(long value) {
    return Arg.immediate(value);
  }

  /** Begins a bytecode function; the instructions that follow are its own. */
  TestProgram function(String name, int numArgs, int registers, String... paramNames) {
    int at = declare(name);
    functions.set(
        at,
        new FunctionInfo(
            FunctionKind.VM,
            name,
            offsets.size(),
            offsets.size(),
            numArgs,
            registers,
            List.of(paramNames)));
    return this;
  }

  /** Declares a function with a compiled body. */
  TestProgram compiled(String name, int numArgs, int registers) {
    int at = declare(name);
    functions.set(
        at, new FunctionInfo(FunctionKind.VMTIR, name, 0, 0, numArgs, registers, List.of()));
    return this;
  }

  TestProgram call(String callee, long dst, Arg... args) {
    long[] operands = new long[args.length];
    for (int i = 0; i < args.length; i++) {
      operands[i] = args[i].word();
    }
    begin(Opcode.CALL, dst, declare(callee), args.length);
    for (long operand : operands) {
      words.add(operand);
    }
    return this;
  }

  TestProgram ret(long register) {
    begin(Opcode.RET, register);
    int last = -1;
    for (int i = 0; i < functions.size(); i++) {
      FunctionInfo info = functions.get(i);
      if (info.kind() == FunctionKind.VM
          && (last < 0 || info.startInstr() >= functions.get(last).startInstr())) {
        last = i;
      }
    }
    FunctionInfo info = functions.get(last);
    functions.set(
        last,
        new FunctionInfo(
            info.kind(),
            info.name(),
            info.startInstr(),
            offsets.size(),
            info.numArgs(),
            info.registerFileSize(),
            info.paramNames()));
    return this;
  }

  TestProgram jump(long offset) {
    begin(Opcode.GOTO, offset);
    return this;
  }

  TestProgram branch(long register, long falseOffset) {
    begin(Opcode.IF, register, falseOffset);
    return this;
  }

  Arg constant(Object value) {
    constants.add(value);
    return Arg.constant(constants.size() - 1);
  }

  Arg constant(Object value, String scope) {
    scopes.put(constants.size(), scope);
    return constant(value);
  }

  Arg functionValue(String name) {
    return Arg.function(declare(name));
  }

  Program build() {
    Executable executable =
        new Executable(
            functions,
            constants,
            scopes,
            offsets.stream().mapToLong(Long::longValue).toArray(),
            words.stream().mapToLong(Long::longValue).toArray());
    Verifier.verify(executable);
    return Program.of(executable);
  }

  private int declare(String name) {
    return index.computeIfAbsent(
        name,
        _ -> {
          functions.add(FunctionInfo.packed(name));
          return functions.size() - 1;
        });
  }

  private void begin(Opcode opcode, long... fields) {
    offsets.add((long) words.size());
    words.add((long) opcode.code());
    for (long field : fields) {
      words.add(field);
    }
  }
}
