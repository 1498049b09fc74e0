package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Module;

/**
 * Finds functions by name, in this order: modules, the kernel library of the main device, function
 * providers, the user's functions.
 */
public final class FunctionSearch {
  private static final String LIBRARY_PREFIX = "relaxvm.";
  static final String USER_ORIGIN = "function registered on the builder";

  private final List<Module> modules;
  private final Module library;
  private final BackendRegistry registry;
  private final Map<String, PackedFunc> userFunctions;

  FunctionSearch(
      List<Module> modules,
      Module library,
      BackendRegistry registry,
      Map<String, PackedFunc> userFunctions) {
    this.modules = List.copyOf(modules);
    this.library = library;
    this.registry = registry;
    this.userFunctions = Map.copyOf(userFunctions);
  }

  /** The function of a name in the table of a program. */
  Optional<Located> find(String name) {
    Optional<Located> own = findInModules(name);
    if (own.isPresent()) {
      return own;
    }
    if (name.startsWith(LIBRARY_PREFIX)) {
      Optional<PackedFunc> kernel = library.find(name);
      if (kernel.isPresent()) {
        return Optional.of(new Located(kernel.get(), library.origin()));
      }
    }
    return findGlobal(name);
  }

  /** The function of a name in the modules and what they import. */
  Optional<Located> findInModules(String name) {
    for (Module module : modules) {
      Optional<PackedFunc> found = module.findWithImports(name);
      if (found.isPresent()) {
        return Optional.of(new Located(found.get(), module.origin()));
      }
    }
    return Optional.empty();
  }

  /**
   * The function of a name that belongs to no program and no device.
   *
   * @throws org.relaxvm.api.error.LinkException when several providers offer it
   */
  public Optional<Located> findGlobal(String name) {
    Optional<Located> provided =
        registry
            .findFunction(name)
            .map(
                match -> new Located(match.function(), describe(match.provider(), match.origin())));
    return provided.or(
        () ->
            Optional.ofNullable(userFunctions.get(name))
                .map(function -> new Located(function, USER_ORIGIN)));
  }

  private static String describe(String provider, String origin) {
    return "provider " + provider + " (" + origin + ")";
  }

  /** One line per place that is searched, for messages. */
  List<String> places() {
    List<String> places = new ArrayList<>();
    places.add("modules: " + listed(modules.stream().map(FunctionSearch::describe).toList()));
    places.add(
        "kernel library, for names that start with " + LIBRARY_PREFIX + ": " + describe(library));
    places.add(
        "function providers: "
            + listed(registry.functionProviders().stream().map(FunctionSearch::describe).toList()));
    places.add(
        "functions registered on the builder: " + listed(new TreeSet<>(userFunctions.keySet())));
    return places;
  }

  /** Jars whose functions would be searched if they were in order, for messages. */
  List<String> unusable() {
    return registry.diagnose().stream()
        .filter(found -> found.role() != Diagnosis.Role.BACKEND)
        .filter(found -> found.state() != Diagnosis.State.USABLE)
        .map(Diagnosis::toString)
        .toList();
  }

  /** All names that could be found, for suggestions. */
  Collection<String> knownNames() {
    TreeSet<String> names = new TreeSet<>(userFunctions.keySet());
    modules.forEach(module -> addNames(module, names));
    names.addAll(library.functionNames());
    for (FunctionProvider provider : registry.functionProviders()) {
      names.addAll(provider.functionNames());
    }
    return names;
  }

  private static void addNames(Module module, TreeSet<String> names) {
    names.addAll(module.functionNames());
    module.imports().forEach(imported -> addNames(imported, names));
  }

  private static String describe(Module module) {
    return module.origin() + " (" + module.functionNames().size() + " functions)";
  }

  private static String describe(FunctionProvider provider) {
    return provider.name() + " (" + provider.functionNames().size() + " functions)";
  }

  private static String listed(Collection<String> items) {
    return items.isEmpty() ? "none" : String.join(", ", items);
  }
}
