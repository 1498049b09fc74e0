package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.FunctionMatch;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;

/**
 * Looks up who would provide the functions that a program needs, in the order in which it links.
 */
public final class NeededFunctions {
  private final BackendRegistry registry;
  private final String device;

  /** A lookup for programs on a device. */
  public NeededFunctions(BackendRegistry registry, String device) {
    this.registry = registry;
    this.device = device;
  }

  /** The needed functions in table order. */
  public List<NeededFunction> of(Program program) {
    Optional<Module> library = library();
    List<NeededFunction> needed = new ArrayList<>();
    for (String name : program.requiredFunctions()) {
      needed.add(locate(program, library, name));
    }
    return needed;
  }

  private NeededFunction locate(Program program, Optional<Module> library, String name) {
    for (HostCode code : program.hostCode()) {
      if (code.functionNames().contains(name)
          || code.functionNames().contains(FunctionKind.COMPILED_PREFIX + name)) {
        return new NeededFunction(name, true, "the program's machine code");
      }
    }
    for (KernelModule module : program.modules()) {
      if (module.image().symbols().contains(name)) {
        return new NeededFunction(name, true, "the program's own kernels for " + module.device());
      }
    }
    Optional<Module> holder = library.filter(module -> module.find(name).isPresent());
    if (holder.isPresent()) {
      return new NeededFunction(name, true, holder.get().origin());
    }
    try {
      Optional<FunctionMatch> match = registry.findFunction(name);
      return match.isPresent()
          ? new NeededFunction(
              name, true, match.get().provider() + " (" + match.get().origin() + ")")
          : new NeededFunction(
              name,
              false,
              "nobody: not in the program's kernels, the library of "
                  + device
                  + " or a function provider");
    } catch (LinkException e) {
      return new NeededFunction(name, false, e.summary());
    }
  }

  private Optional<Module> library() {
    try {
      Device opened = registry.require(device);
      return Optional.of(opened.library());
    } catch (BackendException e) {
      // The report goes on without the device; doctor tells what is wrong with it.
      return Optional.empty();
    }
  }
}
