package org.relaxvm.compiler.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.type.FuncType;
import org.relaxvm.compiler.type.TypeText;
import org.relaxvm.tir.text.EmbeddedText;
import org.relaxvm.tir.text.Names;
import org.relaxvm.tir.text.Quoting;

/** A module as text. */
final class ModulePrinter {
  private final IRModule module;
  private final ConstantText constants;
  private final Map<GlobalVar, String> names = new LinkedHashMap<>();
  private final StringBuilder out = new StringBuilder();

  ModulePrinter(IRModule module, ConstantText constants) {
    this.module = module;
    this.constants = constants;
    Names unique = new Names();
    module
        .functions()
        .keySet()
        .forEach(global -> names.put(global, unique.define(global, global.name())));
  }

  String print() {
    out.append("@I.ir_module\nclass Module:\n");
    int start = out.length();
    if (!module.attrs().values().isEmpty()) {
      out.append("    I.module_attrs(")
          .append(AttrText.print(module.attrs().values()))
          .append(")\n");
    }
    if (!module.vdevices().isEmpty()) {
      out.append(
          module.vdevices().stream()
              .map(
                  vdevice ->
                      "I.vdevice("
                          + Quoting.quote(vdevice.target())
                          + ", "
                          + vdevice.id()
                          + ", "
                          + Quoting.quote(vdevice.memoryScope())
                          + ")")
              .collect(
                  Collectors.joining(", ", "    I.module_global_infos({\"vdevice\": [", "]})\n")));
    }
    module
        .functions()
        .forEach(
            (global, function) -> {
              out.append(out.length() == start ? "" : "\n");
              print(global, function);
            });
    if (out.length() == start) {
      out.append("    pass\n");
    }
    return out.toString();
  }

  private void print(GlobalVar global, ModuleFunction function) {
    String name = names.getOrDefault(global, global.name());
    switch (function) {
      case KernelFunction(var kernel) -> EmbeddedText.printKernel(kernel, name, 1, out);
      case RelaxFunction relax ->
          new FunctionPrinter(constants, names, 1).print(relax, name, global.name(), out);
      case ExternFunc(String symbol, FuncType type) -> {
        if (!name.equals(global.name())) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "the text of a module cannot hold a packed function under the name "
                  + global.name()
                  + "; expected letters, digits and underscores");
        }
        String typed = type.equals(FuncType.packed()) ? "" : ", " + TypeText.print(type);
        out.append("    ")
            .append(name)
            .append(" = R.ExternFunc(")
            .append(Quoting.quote(symbol))
            .append(typed)
            .append(")\n");
      }
    }
  }
}
