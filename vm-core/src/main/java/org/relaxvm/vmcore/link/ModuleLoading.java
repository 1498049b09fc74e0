package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.vmcore.interp.DeviceSet;
import org.relaxvm.vmcore.program.KernelModule;

/**
 * Lets devices load the kernels that a program brings. What a device lacks the host computes, if it
 * may.
 */
final class ModuleLoading {
  private static final int MOST_NAMES = 8;

  private final DeviceSet set;
  private final List<Device> devices;
  private final BackendRegistry registry;
  private final Fallbacks fallbacks;
  private final Resources resources;
  private final List<PlacedModule> loaded = new ArrayList<>();
  private final SequencedMap<String, String> lacking = new LinkedHashMap<>();

  private ModuleLoading(
      DeviceSet set, BackendRegistry registry, Fallbacks fallbacks, Resources resources) {
    this.set = set;
    this.devices = set.devices();
    this.registry = registry;
    this.fallbacks = fallbacks;
    this.resources = resources;
  }

  /**
   * What was loaded.
   *
   * @param modules in the order in which names are searched
   * @param lacking kernels that the device they are for lacks, each with device and reason
   */
  record Result(List<PlacedModule> modules, SequencedMap<String, String> lacking) {}

  static Result load(
      List<KernelModule> kernels,
      DeviceSet set,
      BackendRegistry registry,
      Fallbacks fallbacks,
      Resources resources) {
    ModuleLoading loading = new ModuleLoading(set, registry, fallbacks, resources);
    kernels.forEach(loading::load);
    return new Result(List.copyOf(loading.loaded), loading.lacking);
  }

  private void load(KernelModule kernel) {
    ModuleImage image = kernel.image();
    List<Integer> candidates = candidates(kernel);
    for (int index : candidates) {
      Device device = devices.get(index);
      if (takes(device, image.format()) && device instanceof ModuleLoader loader) {
        load(image, index, loader);
        return;
      }
    }
    Device host = devices.getLast();
    if (!fallbacks.areAllowed() || candidates.isEmpty() || !takes(host, image.format())) {
      throw refused(kernel);
    }
    int index = candidates.getFirst();
    String reason = devices.get(index) + " takes no kernels of format '" + image.format() + "'";
    onHost(image, image.symbols(), index, reason);
  }

  /** Kernels for any device are for the main one or another with memory of its own. */
  private List<Integer> candidates(KernelModule kernel) {
    List<Integer> found = DeviceNames.find(kernel.device(), set.names());
    boolean isForAny = kernel.device().isEmpty() && !devices.getFirst().isHost();
    return isForAny ? found.stream().filter(i -> !devices.get(i).isHost()).toList() : found;
  }

  private void load(ModuleImage image, int index, ModuleLoader loader) {
    Device device = devices.get(index);
    Module module;
    try {
      module = loader.loadModule(image);
    } catch (BackendException e) {
      if (!fallbacks.areAllowed() || device.isHost() || !takes(devices.getLast(), image.format())) {
        throw e;
      }
      onHost(image, image.symbols(), index, e.summary());
      return;
    }
    resources.add(module::close);
    loaded.add(new PlacedModule(module, index, device.toString()));
    lacks(image, module, index);
  }

  private void lacks(ModuleImage image, Module module, int index) {
    Device device = devices.get(index);
    Set<String> there = new HashSet<>();
    module.withImports().forEach(each -> there.addAll(each.functionNames()));
    boolean mayFallBack =
        fallbacks.areAllowed() && !device.isHost() && takes(devices.getLast(), image.format());
    for (String symbol : image.symbols()) {
      if (there.contains(symbol)) {
        continue;
      }
      String reason = module.lacks(symbol).orElse("its backend gives no reason");
      if (mayFallBack) {
        onHost(image, List.of(symbol), index, device + " lacks it: " + reason);
      } else {
        lacking.put(symbol, device + " lacks it: " + reason);
      }
    }
  }

  /** The host computes kernels of a device. */
  private void onHost(ModuleImage image, List<String> symbols, int index, String reason) {
    Device host = devices.getLast();
    Module module = ((ModuleLoader) host).loadModule(image);
    resources.add(module::close);
    Map<String, PackedFunc> functions = new LinkedHashMap<>();
    for (String symbol : symbols) {
      PackedFunc kernel = module.findWithImports(symbol).orElse(null);
      if (kernel == null) {
        lacking.put(symbol, reason + "; " + host + " lacks it too");
      } else {
        functions.put(symbol, new HostCall(kernel));
        fallbacks.add("kernel " + symbol, devices.get(index), host, reason);
      }
    }
    String origin = module.origin() + ", instead of " + devices.get(index);
    loaded.add(new PlacedModule(Module.of(origin, functions), index, host.toString()));
  }

  private static boolean takes(Device device, String format) {
    return device instanceof ModuleLoader loader && loader.formats().contains(format);
  }

  private LinkException refused(KernelModule kernel) {
    return new LinkException(
        ErrorKind.VALUE,
        "no device of the virtual machine takes the program's kernels of format '"
            + kernel.image().format()
            + "'"
            + (kernel.device().isEmpty() ? "" : " for " + kernel.device())
            + " (functions "
            + names(kernel.image().symbols())
            + ")\n  devices: "
            + devices.stream().map(ModuleLoading::offer).collect(Collectors.joining("; "))
            + "\n  what to do: "
            + remedy(kernel));
  }

  private static String offer(Device device) {
    return device instanceof ModuleLoader loader
        ? device + " takes " + loader.formats().stream().sorted().toList()
        : device + " takes no kernels";
  }

  private String remedy(KernelModule kernel) {
    String kind = kernel.device().split(":", 2)[0];
    if (kind.isEmpty()) {
      return "give the virtual machine a device that takes this format"
          + (takes(devices.getLast(), kernel.image().format())
              ? ", or let the host compute them with .fallbackToHost() (--allow-fallback)"
              : "");
    }
    String jar = "relaxvm-backend-" + kind;
    if (!DeviceNames.find(kernel.device(), set.names()).isEmpty()) {
      return "compile the program's kernels to a format that the device takes, or use a version of "
          + jar
          + " that takes this one";
    }
    // Not opened for the answer: what the provider says without it is enough.
    Optional<Diagnosis> found =
        registry.diagnose().stream()
            .filter(entry -> entry.role() == Diagnosis.Role.BACKEND && entry.name().equals(kind))
            .findFirst();
    if (found.isEmpty()) {
      return "no backend offers "
          + kind
          + ": add the artifact org.relaxvm:"
          + jar
          + " (its jar on the class path, or in the folder plugins/ of the command), and give the"
          + " virtual machine its device "
          + kind;
    }
    return found.get().state() == Diagnosis.State.USABLE
        ? "give the virtual machine the device " + kind + ", which a backend here offers"
        : "make the backend of " + kind + " usable: " + found.get();
  }

  private static String names(List<String> symbols) {
    String shown = symbols.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    int more = symbols.size() - MOST_NAMES;
    return more > 0 ? shown + " and " + more + " more" : shown;
  }
}
