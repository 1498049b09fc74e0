package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.relaxvm.api.Functions;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.interp.DeviceSet;

/**
 * Finds functions by name, in this order: modules, the kernel library of the main device, function
 * providers, the functions registered on the builder, those of the process. A name may end with the
 * device that it is for: {@code relaxvm.matmul@opencl:1} is found in the modules and the library of
 * that device only.
 */
public final class FunctionSearch {
  private static final String LIBRARY_PREFIX = "relaxvm.";

  /** What stands between the name of a function and that of its device. */
  private static final char AT = '@';

  private final List<PlacedModule> modules;
  private final DeviceSet devices;
  private final Fallbacks fallbacks;
  private final GlobalFunctions globals;

  FunctionSearch(
      List<PlacedModule> modules, DeviceSet devices, Fallbacks fallbacks, GlobalFunctions globals) {
    this.modules = List.copyOf(modules);
    this.devices = devices;
    this.fallbacks = fallbacks;
    this.globals = globals;
  }

  /** The function of a name in the table of a program. */
  Optional<Located> find(String name) {
    Optional<Located> own = findInModules(name);
    if (own.isPresent()) {
      return own;
    }
    int at = name.lastIndexOf(AT);
    if (at > 0) {
      Optional<Integer> index =
          DeviceNames.find(name.substring(at + 1), devices.names()).stream().findFirst();
      if (index.isPresent()) {
        String function = name.substring(0, at);
        return findInModules(function, index.get()).or(() -> findInLibrary(function, index.get()));
      }
    }
    return findInLibrary(name, 0).or(() -> findGlobal(name));
  }

  /** The function of a name in the modules and what they import. */
  Optional<Located> findInModules(String name) {
    return findInModules(name, -1);
  }

  /** The same in modules of one device; in all where the index is negative. */
  private Optional<Located> findInModules(String name, int device) {
    for (PlacedModule placed : modules) {
      if (device >= 0 && placed.device() != device) {
        continue;
      }
      for (Module module : placed.module().withImports()) {
        Optional<PackedFunc> found = module.find(name);
        if (found.isPresent()) {
          return Optional.of(
              new Located(
                  found.get(),
                  placed.module().originOf(name),
                  placed.runsOn(),
                  module.effectsOf(name)));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Located> findInLibrary(String name, int index) {
    if (!name.startsWith(LIBRARY_PREFIX)) {
      return Optional.empty();
    }
    Device device = devices.devices().get(index);
    Module library = device.library();
    Optional<PackedFunc> own = library.find(name);
    if (own.isPresent() || device.isHost() || !fallbacks.areAllowed()) {
      return own.map(
          kernel ->
              new Located(
                  kernel, library.originOf(name), device.toString(), library.effectsOf(name)));
    }
    Device host = devices.devices().getLast();
    Optional<PackedFunc> kernel = host.library().find(name);
    kernel.ifPresent(
        unused ->
            fallbacks.add(
                "kernel " + name, device, host, "the library of " + device + " lacks it"));
    return kernel.map(
        found ->
            new Located(
                new HostCall(found),
                host.library().origin() + ", instead of " + device,
                host.toString(),
                host.library().effectsOf(name)));
  }

  /**
   * The function of a name that belongs to no program and no device.
   *
   * @throws org.relaxvm.api.error.LinkException when several providers offer it
   */
  public Optional<Located> findGlobal(String name) {
    return globals.find(name);
  }

  /** One line per searched module, for messages. */
  List<String> searched() {
    List<String> searched = new ArrayList<>();
    searched.add("modules: " + listed(own().map(FunctionSearch::describe).toList()));
    List<Device> all = devices.devices();
    searched.add(
        "kernel library, for names that start with "
            + LIBRARY_PREFIX
            + ": "
            + describe(all.getFirst().library()));
    for (int i = 1; i < all.size() && all.size() > 2; i++) {
      searched.add(
          "kernel library, for names that end with "
              + AT
              + devices.names().get(i)
              + ": "
              + describe(all.get(i).library()));
    }
    searched.add(
        "function providers: "
            + listed(globals.providers().stream().map(FunctionSearch::describe).toList()));
    searched.add("functions registered on the builder: " + listed(globals.userNames()));
    searched.add("functions registered in this process: " + listed(Functions.list()));
    return searched;
  }

  /** Jars whose functions would be searched if they were in order, for messages. */
  List<String> unusable() {
    return globals.unusable();
  }

  /** All names that could be found, for suggestions. */
  Collection<String> knownNames() {
    TreeSet<String> names = new TreeSet<>(globals.userNames());
    names.addAll(Functions.list());
    own()
        .forEach(
            module -> module.withImports().forEach(each -> names.addAll(each.functionNames())));
    names.addAll(devices.devices().getFirst().library().functionNames());
    for (FunctionProvider provider : globals.providers()) {
      names.addAll(provider.functionNames());
    }
    return names;
  }

  private Stream<Module> own() {
    return modules.stream().map(PlacedModule::module);
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
