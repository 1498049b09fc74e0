package org.relaxvm.vmcore.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.FunctionProvider;

/**
 * Functions that belong to no program and no device: of providers, then those that are registered
 * on the builder, then those of the process.
 */
final class GlobalFunctions {
  private static final String USER_ORIGIN = "function registered on the builder";
  private static final String PROCESS_ORIGIN = "function registered in this process";

  private final BackendRegistry registry;
  private final Map<String, PackedFunc> userFunctions;
  private final Map<String, CallEffects> userEffects;

  GlobalFunctions(
      BackendRegistry registry,
      Map<String, PackedFunc> userFunctions,
      Map<String, CallEffects> userEffects) {
    this.registry = registry;
    this.userEffects = Map.copyOf(userEffects);
    this.userFunctions = Map.copyOf(userFunctions);
  }

  /**
   * The function of a name.
   *
   * @throws org.relaxvm.api.error.LinkException when several providers offer it
   */
  Optional<Located> find(String name) {
    Optional<Located> provided =
        registry
            .findFunction(name)
            .map(
                match ->
                    new Located(
                        match.function(),
                        "provider " + match.provider() + " (" + match.origin() + ")",
                        match.effects()));
    return provided
        .or(
            () ->
                Optional.ofNullable(userFunctions.get(name))
                    .map(
                        function ->
                            new Located(
                                function,
                                USER_ORIGIN,
                                userEffects.getOrDefault(name, CallEffects.UNKNOWN))))
        .or(
            () ->
                Functions.find(name)
                    .map(function -> new Located(function, PROCESS_ORIGIN, CallEffects.UNKNOWN)));
  }

  /** The functions that users registered, on the builder and in the process. */
  Map<String, PackedFunc> registered() {
    Map<String, PackedFunc> all = new LinkedHashMap<>();
    for (String name : Functions.list()) {
      Functions.find(name).ifPresent(function -> all.put(name, function));
    }
    all.putAll(userFunctions);
    return all;
  }

  List<FunctionProvider> providers() {
    return registry.functionProviders();
  }

  Set<String> userNames() {
    return new TreeSet<>(userFunctions.keySet());
  }

  /** Jars whose functions would be searched if they were in order, for messages. */
  List<String> unusable() {
    return registry.diagnose().stream()
        .filter(found -> found.role() != Diagnosis.Role.BACKEND)
        .filter(found -> found.state() != Diagnosis.State.USABLE)
        .map(Diagnosis::toString)
        .toList();
  }
}
