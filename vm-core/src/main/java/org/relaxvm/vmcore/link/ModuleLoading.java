package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.vmcore.program.KernelModule;

/** Lets devices load the kernels that a program brings. */
final class ModuleLoading {
  private ModuleLoading() {}

  static List<Module> load(List<KernelModule> kernels, List<Device> devices, Resources resources) {
    List<Module> modules = new ArrayList<>();
    for (KernelModule kernel : kernels) {
      Module module = loaderFor(kernel, devices).loadModule(kernel.image());
      resources.add(module::close);
      modules.add(module);
    }
    return modules;
  }

  private static ModuleLoader loaderFor(KernelModule kernel, List<Device> devices) {
    String format = kernel.image().format();
    List<String> offers = new ArrayList<>();
    for (Device device : devices) {
      boolean fits = kernel.device().isEmpty() || kernel.device().equals(device.id().kind());
      if (device instanceof ModuleLoader loader) {
        if (fits && loader.formats().contains(format)) {
          return loader;
        }
        offers.add(device + " takes " + loader.formats());
      } else {
        offers.add(device + " takes no kernels");
      }
    }
    throw new LinkException(
        ErrorKind.VALUE,
        "no device of the virtual machine takes the program's kernels of format '"
            + format
            + "'"
            + (kernel.device().isEmpty() ? "" : " for " + kernel.device())
            + " (functions "
            + String.join(", ", kernel.image().symbols())
            + ")\n  "
            + String.join("; ", offers));
  }
}
