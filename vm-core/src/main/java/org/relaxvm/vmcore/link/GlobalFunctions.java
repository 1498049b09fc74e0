package org.relaxvm.vmcore.link;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.FunctionProvider;

/** Functions that belong to no program and no device: of providers, then the user's. */
final class GlobalFunctions {
  private static final String USER_ORIGIN = "function registered on the builder";

  private final BackendRegistry registry;
  private final Map<String, PackedFunc> userFunctions;

  GlobalFunctions(BackendRegistry registry, Map<String, PackedFunc> userFunctions) {
    this.registry = registry;
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
                        "provider " + match.provider() + " (" + match.origin() + ")"));
    return provided.or(
        () ->
            Optional.ofNullable(userFunctions.get(name))
                .map(function -> new Located(function, USER_ORIGIN)));
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
