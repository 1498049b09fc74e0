package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.vmcore.program.KernelModule;

/** Lets devices load the kernels that a program brings. */
final class ModuleLoading {
  private static final int MOST_NAMES = 8;

  private final List<Device> devices;
  private final BackendRegistry registry;

  ModuleLoading(List<Device> devices, BackendRegistry registry) {
    this.devices = List.copyOf(devices);
    this.registry = registry;
  }

  List<Module> load(List<KernelModule> kernels, Resources resources) {
    List<Module> modules = new ArrayList<>();
    for (KernelModule kernel : kernels) {
      Module module = loaderFor(kernel).loadModule(kernel.image());
      resources.add(module::close);
      modules.add(module);
    }
    return modules;
  }

  private ModuleLoader loaderFor(KernelModule kernel) {
    for (Device device : devices) {
      if (fits(kernel, device)
          && device instanceof ModuleLoader loader
          && loader.formats().contains(kernel.image().format())) {
        return loader;
      }
    }
    throw refused(kernel);
  }

  private static boolean fits(KernelModule kernel, Device device) {
    return kernel.device().isEmpty() || kernel.device().equals(device.id().kind());
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
            + "\n  to do: "
            + remedy(kernel));
  }

  private static String offer(Device device) {
    return device instanceof ModuleLoader loader
        ? device + " takes " + loader.formats().stream().sorted().toList()
        : device + " takes no kernels";
  }

  private String remedy(KernelModule kernel) {
    String kind = kernel.device();
    if (kind.isEmpty()) {
      return "give the virtual machine a device that takes this format";
    }
    String jar = "relaxvm-backend-" + kind;
    if (devices.stream().anyMatch(device -> fits(kernel, device))) {
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
          + ": put "
          + jar
          + " on the class path or in the folder plugins/, and give the virtual machine its device "
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
