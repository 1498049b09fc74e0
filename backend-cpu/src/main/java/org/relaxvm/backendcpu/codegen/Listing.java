package org.relaxvm.backendcpu.codegen;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The instructions of a class for people to read. */
final class Listing {
  private final StringBuilder text = new StringBuilder();

  private Listing() {}

  /** One line an instruction, method by method, without anything that differs between machines. */
  static String of(byte[] bytes) {
    Listing listing = new Listing();
    ClassModel model = ClassFile.of().parse(bytes);
    for (MethodModel method : model.methods()) {
      if (!method.methodName().equalsString("<init>")) {
        method.code().ifPresent(code -> listing.add(method, code));
      }
    }
    return listing.text.toString();
  }

  private void add(MethodModel method, CodeModel code) {
    Map<Label, Integer> targets = new LinkedHashMap<>();
    int bytes = 0;
    for (CodeElement element : code) {
      if (element instanceof BranchInstruction branch) {
        targets.putIfAbsent(branch.target(), targets.size());
      } else if (element instanceof TableSwitchInstruction table) {
        table.cases().forEach(one -> targets.putIfAbsent(one.target(), targets.size()));
        targets.putIfAbsent(table.defaultTarget(), targets.size());
      }
      if (element instanceof Instruction instruction) {
        bytes += instruction.sizeInBytes();
      }
    }
    text.append(method.methodName().stringValue())
        .append(parameters(method.methodTypeSymbol().parameterArray()))
        .append(", ")
        .append(bytes)
        .append(" bytes\n");
    int nothing = 0;
    for (CodeElement element : code) {
      if (element instanceof NopInstruction) {
        nothing++;
        continue;
      }
      if (nothing > 0) {
        text.append("    nop, ").append(nothing).append(" times\n");
        nothing = 0;
      }
      if (element instanceof LabelTarget label && targets.containsKey(label.label())) {
        text.append("  L").append(targets.get(label.label())).append(":\n");
      } else if (element instanceof Instruction instruction) {
        text.append("    ").append(line(instruction, targets)).append('\n');
      }
    }
  }

  private static String line(Instruction instruction, Map<Label, Integer> targets) {
    String name = instruction.opcode().name().toLowerCase(Locale.ROOT).replaceAll("_(w|\\d)$", "");
    return switch (instruction) {
      case InvokeInstruction invoke ->
          name
              + " "
              + invoke.owner().asSymbol().displayName()
              + "."
              + invoke.name().stringValue()
              + parameters(invoke.typeSymbol().parameterArray());
      case FieldInstruction field ->
          name + " " + field.owner().asSymbol().displayName() + "." + field.name().stringValue();
      case LoadInstruction load -> name + " " + load.slot();
      case StoreInstruction store -> name + " " + store.slot();
      case ConstantInstruction constant -> "const " + constant.constantValue();
      case IncrementInstruction increment ->
          name + " " + increment.slot() + " " + increment.constant();
      case BranchInstruction branch -> name + " L" + targets.get(branch.target());
      case TableSwitchInstruction table ->
          name
              + table.cases().stream()
                  .map((SwitchCase one) -> " L" + targets.get(one.target()))
                  .collect(Collectors.joining());
      default -> name;
    };
  }

  private static String parameters(ClassDesc[] types) {
    return java.util.Arrays.stream(types)
        .map(ClassDesc::displayName)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
