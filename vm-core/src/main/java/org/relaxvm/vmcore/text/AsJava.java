package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.InstructionText;

/**
 * Prints Java source that rebuilds an executable with {@link
 * org.relaxvm.vmcore.executable.ExecBuilder}: a class with a static method {@code build()}.
 *
 * <p>The builder numbers registers in the order of their definition, as the compiler and the
 * builder do for every program they make; only the registers of a program written by hand may come
 * back under other numbers. Constants are part of the source, so a program with hundreds of
 * megabytes of them is better kept as a package.
 *
 * <p>Stateless and thread-safe.
 */
public final class AsJava {
  /** More arguments than this are added to a list one by one, for the size of a method. */
  private static final int MAX_INLINE_ARGS = 200;

  private final Executable executable;
  private final JavaSource source = new JavaSource();

  private AsJava(Executable executable) {
    this.executable = executable;
  }

  /**
   * The source.
   *
   * @param className the class's name, with its package if it has one
   * @throws CallException a {@code ValueError} when the name is no Java name
   * @throws org.relaxvm.api.error.InvalidProgramException when the executable is damaged
   */
  public static String asJava(Executable executable, String className) {
    checkName(className);
    AsJava printer = new AsJava(executable);
    printer.constants();
    printer.functions();
    return printer.source.print(className);
  }

  private void constants() {
    executable
        .constants()
        .forEach(constant -> source.add("b.addConstant(" + JavaLiterals.of(constant) + ");"));
    executable
        .memoryScopes()
        .forEach(
            (index, scope) ->
                source.add(
                    "b.saveMemoryScope(b.c(" + index + "), " + JavaLiterals.of(scope) + ");"));
  }

  private void functions() {
    // Declared first, so that the order of the table does not depend on who calls whom.
    for (FunctionInfo function : executable.functions()) {
      source.add(
          "b.declareFunction("
              + JavaLiterals.of(function.name())
              + ", FunctionKind."
              + function.kind()
              + ");");
      if (function.kind() == FunctionKind.VMTIR) {
        source.add(
            "b.compiledFunction("
                + signature(function)
                + ", "
                + function.registerFileSize()
                + "L);");
      }
    }
    List<FunctionInfo> bodies = new ArrayList<>(executable.functions());
    bodies.removeIf(function -> function.kind() != FunctionKind.VM);
    bodies.sort(Comparator.comparingLong(FunctionInfo::startInstr));
    for (FunctionInfo function : bodies) {
      Instruction.checkBody(executable, function);
      source.add("b.emitFunction(" + signature(function) + ");");
      for (long pc = function.startInstr(); pc < function.endInstr(); pc++) {
        instruction((int) pc);
      }
      source.add("b.endFunction(" + JavaLiterals.of(function.name()) + ");");
    }
  }

  private static String signature(FunctionInfo function) {
    return JavaLiterals.of(function.name())
        + ", "
        + function.numArgs()
        + "L, "
        + function.paramNames().stream()
            .map(JavaLiterals::of)
            .collect(Collectors.joining(", ", "List.of(", ")"));
  }

  private void instruction(int pc) {
    switch (Instruction.decode(executable, pc)) {
      case Instruction.Call call -> call(call);
      case Instruction.Ret ret -> source.add("b.emitRet(" + register(ret.register()) + ");");
      case Instruction.Goto jump -> source.add("b.emitGoto(" + jump.offset() + "L);");
      case Instruction.If branch ->
          source.add(
              "b.emitIf(" + register(branch.register()) + ", " + branch.falseOffset() + "L);");
    }
  }

  private void call(Instruction.Call call) {
    List<String> args = new ArrayList<>();
    for (long word : call.args()) {
      args.add(argument(Arg.ofWord(word)));
    }
    String list = "List.of(" + String.join(", ", args) + ")";
    if (args.size() > MAX_INLINE_ARGS) {
      args.forEach(arg -> source.add("args.add(" + arg + ");"));
      list = "List.copyOf(args)";
    }
    String callee = JavaLiterals.of(InstructionText.function(executable, call.function()));
    source.add("b.emitCall(" + callee + ", " + list + ", " + register(call.dst()) + ");");
    if (args.size() > MAX_INLINE_ARGS) {
      source.add("args.clear();");
    }
  }

  private String argument(Arg arg) {
    return switch (arg.kind()) {
      case REGISTER -> register(arg.value());
      case IMMEDIATE -> "b.imm(" + arg.value() + "L)";
      case CONSTANT -> "b.c(" + arg.value() + "L)";
      case FUNCTION ->
          "b.f(" + JavaLiterals.of(InstructionText.function(executable, arg.value())) + ")";
    };
  }

  private static String register(long number) {
    if (number == Arg.VOID_REGISTER) {
      return "Arg.VOID";
    }
    return number == Arg.VM_REGISTER ? "Arg.VM" : "b.r(" + number + "L)";
  }

  private static void checkName(String className) {
    for (String part : className.split("\\.", -1)) {
      boolean valid =
          !part.isEmpty()
              && Character.isJavaIdentifierStart(part.charAt(0))
              && part.chars().allMatch(Character::isJavaIdentifierPart);
      if (!valid) {
        throw new CallException(
            ErrorKind.VALUE,
            "'" + className + "' is no name of a Java class, such as Mlp or org.example.Mlp");
      }
    }
  }
}
