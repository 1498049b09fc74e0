package org.relaxvm.vmcore.program;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Module;

/**
 * What the {@link HostCode} of a program may call in one virtual machine.
 *
 * @param imports the program's kernels for devices, loaded, in the order in which names are
 *     searched
 * @param globals finds functions that belong to no program: those of function providers, those
 *     registered on the builder and those of the process, {@link org.relaxvm.api.Functions}
 */
public record HostLinks(List<Module> imports, Function<String, Optional<PackedFunc>> globals) {
  /** Copies the list. */
  public HostLinks {
    imports = List.copyOf(imports);
  }

  /** The function of a name: in the imports, depth first, else a global one. */
  public Optional<PackedFunc> find(String name) {
    for (Module module : imports) {
      Optional<PackedFunc> found = module.findWithImports(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return globals.apply(name);
  }
}
