package org.relaxvm.compiler.named;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.wellformed.WellFormed;

/** Modules as text, and their functions by name. Thread-safe. */
final class ModuleFunctions {
  private static final String PARSE = "relaxvm.module.parse(text)";

  private final ModuleArguments modules;

  ModuleFunctions(ModuleArguments modules) {
    this.modules = modules;
  }

  void addTo(BiConsumer<String, PackedFunc> target) {
    target.accept(PARSE, this::parse);
    target.accept("relaxvm.module.print(module)", this::print);
    target.accept("ir.Module_GetGlobalVars(module)", this::names);
    target.accept("ir.Module_ContainGlobalVar(module, name)", this::contains);
    target.accept("ir.Module_Lookup_str(module, name)", this::lookup);
  }

  private void parse(CallArgs args, CallResult result) {
    args.requireCount(PARSE, 1);
    IRModule module = RelaxText.parse(args.stringAt(0), "argument #0", StandardOps.registry());
    WellFormed.check(module);
    result.set(modules.values().object(module));
  }

  private void print(CallArgs args, CallResult result) {
    result.set(RelaxText.print(modules.at(args, 0)));
  }

  private void names(CallArgs args, CallResult result) {
    result.set(List.copyOf(functions(args).keySet()));
  }

  private void contains(CallArgs args, CallResult result) {
    result.setBoolean(find(args) != null);
  }

  private void lookup(CallArgs args, CallResult result) {
    Object found = find(args);
    if (found == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "the module has no function '"
              + args.stringAt(1)
              + "'\n  it has: "
              + functions(args).keySet().stream().map(ModuleFunctions::name).sorted().toList());
    }
    result.set(found);
  }

  private @Nullable Object find(CallArgs args) {
    String name = args.stringAt(1);
    for (Map.Entry<?, ?> entry : functions(args).entrySet()) {
      if (name.equals(name(entry.getKey()))) {
        return entry.getValue();
      }
    }
    return null;
  }

  private Map<?, ?> functions(CallArgs args) {
    return ObjectView.of(modules.objectAt(args, 0)).get("functions") instanceof Map<?, ?> map
        ? map
        : Map.of();
  }

  private static String name(Object global) {
    return global instanceof ObjectNode node
        ? String.valueOf(ObjectView.of(node).get("name_hint"))
        : String.valueOf(global);
  }
}
