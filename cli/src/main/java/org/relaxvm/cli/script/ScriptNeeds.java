package org.relaxvm.cli.script;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.FunctionMatch;

/** What a script needs that is not there. */
final class ScriptNeeds {
  private final BackendRegistry registry;
  private final TreeSet<String> missing = new TreeSet<>();
  private boolean takesKernels;
  private boolean takesHostFunctions;

  private ScriptNeeds(BackendRegistry registry) {
    this.registry = registry;
  }

  /** Why a script cannot run here, in words; empty when it can. */
  static Optional<String> unmet(Script script, BackendRegistry registry) {
    ScriptNeeds needs = new ScriptNeeds(registry);
    for (ScriptStep step : script.steps()) {
      if (step.kind() == ScriptStep.Kind.GLOBAL) {
        needs.function(step.name());
      }
      needs.values(step.args());
    }
    if (!needs.missing.isEmpty()) {
      return Optional.of("no functions " + String.join(", ", needs.missing));
    }
    if (needs.takesKernels) {
      return Optional.of("it passes kernels of a library as values");
    }
    return needs.takesHostFunctions
        ? Optional.of("it passes functions of the host language")
        : Optional.empty();
  }

  /** A registered function. */
  static Optional<PackedFunc> find(BackendRegistry registry, String name) {
    return registry.findFunction(name).map(FunctionMatch::function).or(() -> Functions.find(name));
  }

  private void function(String name) {
    if (find(registry, name).isEmpty()) {
      missing.add(name);
    }
  }

  private void values(@Nullable Object notation) {
    if (notation instanceof List<?> list) {
      list.forEach(this::values);
    } else if (notation instanceof Map<?, ?> map) {
      if (map.get("global") instanceof String name) {
        function(name);
      }
      takesKernels |= map.containsKey("kernel");
      takesHostFunctions |= map.containsKey("host_function");
      values(map.get("tuple"));
    }
  }
}
