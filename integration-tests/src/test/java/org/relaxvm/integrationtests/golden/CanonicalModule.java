package org.relaxvm.integrationtests.golden;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.tir.PrimFunc;

/**
 * A module without what two compilers may choose: the names and the order of functions, the names
 * of variables. Kernels and functions that become kernels are numbered in the order of their first
 * calls, from the functions that programs call, by name; of their own names what stands in front of
 * the number counts.
 */
final class CanonicalModule {
  private final IRModule module;
  private final Map<String, String> names = new HashMap<>();
  private final Deque<GlobalVar> waiting = new ArrayDeque<>();
  private final SequencedMap<String, List<String>> functions = new LinkedHashMap<>();
  private final SequencedMap<String, CanonicalKernel> kernels = new LinkedHashMap<>();
  private final List<Tensor> constants = new ArrayList<>();

  private CanonicalModule(IRModule module) {
    this.module = module;
  }

  /** The form of a module. */
  static CanonicalModule of(IRModule module) {
    CanonicalModule form = new CanonicalModule(module);
    module.relaxFunctions().entrySet().stream()
        .filter(entry -> !entry.getValue().isPrimitive())
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparing(GlobalVar::name))
        .forEach(
            global -> {
              form.names.put(global.name(), global.name());
              form.waiting.add(global);
            });
    form.addAll();
    // What nothing calls.
    module.functions().keySet().stream()
        .sorted(Comparator.comparing(GlobalVar::name))
        .forEach(
            global -> {
              form.name(global.name());
              form.addAll();
            });
    return form;
  }

  /** The lines of functions over tensors, by name. */
  SequencedMap<String, List<String>> functions() {
    return functions;
  }

  /** The kernels by name. */
  SequencedMap<String, CanonicalKernel> kernels() {
    return kernels;
  }

  /** The constants that are too large for the text, in the order in which the text names them. */
  List<Tensor> constants() {
    return constants;
  }

  private void addAll() {
    while (!waiting.isEmpty()) {
      GlobalVar global = waiting.remove();
      add(global, module.require(global));
    }
  }

  private void add(GlobalVar global, ModuleFunction function) {
    String name = name(global.name());
    switch (function) {
      case RelaxFunction relax -> add(name, global, relax);
      case KernelFunction(PrimFunc kernel) -> kernels.put(name, CanonicalKernel.of(kernel));
      case ExternFunc packed -> functions.put(name, List.of(packed.toString()));
    }
  }

  private void add(String name, GlobalVar global, RelaxFunction function) {
    // Notes are set as 1 or as True.
    RelaxFunction told =
        function.isPrimitive()
            ? function.withAttrs(function.attrs().with(RelaxFunction.PRIMITIVE, true))
            : function;
    RelaxText.Printed printed = RelaxText.printWithConstants(IRModule.EMPTY.with(global, told));
    String text = printed.text();
    functions.put(
        name,
        CanonicalText.lines(text.substring(text.indexOf("@R.function")).indent(-4), this::name));
    constants.addAll(printed.constants());
  }

  private String name(String own) {
    String known = names.get(own);
    if (known != null) {
      return known;
    }
    String name = own.replaceAll("\\d+(?=_|$)", "") + "#" + names.size();
    names.put(own, name);
    waiting.add(new GlobalVar(own));
    return name;
  }
}
