package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Module;

/**
 * Finds functions by name, in this order: modules, the kernel library of the main device, function
 * providers, the user's functions.
 */
public final class FunctionSearch {
  private static final String LIBRARY_PREFIX = "relaxvm.";

  private final List<Module> modules;
  private final Module library;
  private final GlobalFunctions globals;

  FunctionSearch(List<Module> modules, Module library, GlobalFunctions globals) {
    this.modules = List.copyOf(modules);
    this.library = library;
    this.globals = globals;
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
    return globals.find(name);
  }

  /** One line per place that is searched, for messages. */
  List<String> places() {
    List<String> places = new ArrayList<>();
    places.add("modules: " + listed(modules.stream().map(FunctionSearch::describe).toList()));
    places.add(
        "kernel library, for names that start with " + LIBRARY_PREFIX + ": " + describe(library));
    places.add(
        "function providers: "
            + listed(globals.providers().stream().map(FunctionSearch::describe).toList()));
    places.add("functions registered on the builder: " + listed(globals.userNames()));
    return places;
  }

  /** Jars whose functions would be searched if they were in order, for messages. */
  List<String> unusable() {
    return globals.unusable();
  }

  /** All names that could be found, for suggestions. */
  Collection<String> knownNames() {
    TreeSet<String> names = new TreeSet<>(globals.userNames());
    for (Module module : modules) {
      module.withImports().forEach(each -> names.addAll(each.functionNames()));
    }
    names.addAll(library.functionNames());
    for (FunctionProvider provider : globals.providers()) {
      names.addAll(provider.functionNames());
    }
    return names;
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
