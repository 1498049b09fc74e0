package org.relaxvm.compiler.builder;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.StructuralHash;

/** The functions of a module that is being built, each of which is there once. */
final class ModuleFunctions {
  private final SequencedMap<GlobalVar, ModuleFunction> functions = new LinkedHashMap<>();
  private final Map<Integer, List<GlobalVar>> byHash = new HashMap<>();
  private final NameSupply names = new NameSupply();
  private IRModule start;

  ModuleFunctions(IRModule start) {
    this.start = start;
    start.functions().forEach(this::put);
  }

  IRModule module() {
    return start.withFunctions(functions);
  }

  void vdevice(VDevice device) {
    if (!start.vdevices().contains(device)) {
      List<VDevice> devices = new ArrayList<>(start.vdevices());
      devices.add(device);
      start = new IRModule(start.functions(), start.attrs(), devices);
    }
  }

  Optional<ModuleFunction> find(GlobalVar name) {
    return Optional.ofNullable(functions.get(name));
  }

  /** A name that no function has; it is taken from now on. */
  GlobalVar reserve(String hint) {
    return new GlobalVar(names.unique(hint));
  }

  /** Gives a name back that was reserved and not used. */
  void release(GlobalVar name) {
    names.release(name.name());
  }

  /** The function that is equal, or this one under a name like the hint. */
  GlobalVar add(ModuleFunction function, String hint) {
    return same(function)
        .orElseGet(
            () -> {
              GlobalVar name = reserve(hint);
              put(name, function);
              return name;
            });
  }

  /** Adds a function, or replaces one. */
  void put(GlobalVar name, ModuleFunction function) {
    names.take(name.name());
    ModuleFunction named =
        function instanceof KernelFunction(PrimFunc kernel)
            ? new KernelFunction(kernel.withName(name.name()))
            : function;
    ModuleFunction old = functions.put(name, named);
    if (old != null) {
      byHash.getOrDefault(hash(old), new ArrayList<>()).remove(name);
    }
    byHash.computeIfAbsent(hash(named), unused -> new ArrayList<>()).add(name);
  }

  void remove(GlobalVar name) {
    ModuleFunction old = functions.remove(name);
    if (old != null) {
      byHash.getOrDefault(hash(old), new ArrayList<>()).remove(name);
    }
  }

  private Optional<GlobalVar> same(ModuleFunction function) {
    return byHash.getOrDefault(hash(function), List.of()).stream()
        .filter(name -> find(name).stream().anyMatch(f -> StructuralEquality.areEqual(function, f)))
        .min(Comparator.comparing(GlobalVar::name));
  }

  private static int hash(ModuleFunction function) {
    return switch (function) {
      case KernelFunction(PrimFunc kernel) -> StructuralHash.of(kernel);
      case RelaxFunction relax ->
          31 * relax.params().size() + (int) relax.body().bindings().count() + 1;
      case ExternFunc extern -> extern.hashCode();
    };
  }
}
