package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.registry.FunctionMatch;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.HostFunctions;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;

/**
 * Looks up who would provide the functions that a program needs, in the order in which it links.
 */
public final class NeededFunctions {
  private static final String MACHINE_CODE = "the program's machine code";

  private final BackendRegistry registry;
  private final String device;

  /** A lookup for programs on a device. */
  public NeededFunctions(BackendRegistry registry, String device) {
    this.registry = registry;
    this.device = device;
  }

  /** The needed functions in table order. */
  public List<NeededFunction> of(Program program) {
    Optional<Module> library = library(device);
    Set<String> compiled = new HashSet<>();
    for (FunctionInfo function : program.executable().functions()) {
      if (function.kind() == FunctionKind.VMTIR) {
        compiled.add(function.name());
      }
    }
    List<NeededFunction> needed = new ArrayList<>();
    for (String name : program.requiredFunctions()) {
      needed.add(
          compiled.contains(name) ? compiledBody(program, name) : locate(program, library, name));
    }
    return needed;
  }

  /** The body of a function of the program that was compiled: no one else can have it. */
  private static NeededFunction compiledBody(Program program, String name) {
    String symbol = FunctionKind.COMPILED_PREFIX + name;
    boolean found =
        program.hostCode().stream().anyMatch(code -> code.functionNames().contains(symbol));
    return new NeededFunction(
        name, found, found ? MACHINE_CODE : "nobody: no machine code of the program has " + symbol);
  }

  private NeededFunction locate(Program program, Optional<Module> library, String name) {
    for (HostCode code : program.hostCode()) {
      if (code.functionNames().contains(name)) {
        return new NeededFunction(name, true, MACHINE_CODE);
      }
    }
    for (HostFunctions functions : program.hostFunctions()) {
      if (functions.functionNames().contains(name)) {
        return new NeededFunction(name, true, functions.origin());
      }
    }
    for (KernelModule module : program.modules()) {
      if (module.image().symbols().contains(name) || isFor(module, name)) {
        String target = module.device().isEmpty() ? "any device" : module.device();
        return new NeededFunction(name, true, "the program's own kernels for " + target);
      }
    }
    int at = name.lastIndexOf('@');
    if (at > 0) {
      return inLibrary(name.substring(at + 1), name.substring(0, at), name);
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
              "nobody: not in what the program brings, the library of "
                  + device
                  + " or a function provider");
    } catch (LinkException e) {
      return new NeededFunction(name, false, e.summary());
    }
  }

  /** Whether a name means a kernel and the device of its image. */
  private static boolean isFor(KernelModule module, String name) {
    int at = name.lastIndexOf('@');
    return at > 0
        && module.device().equals(name.substring(at + 1))
        && module.image().symbols().contains(name.substring(0, at));
  }

  private NeededFunction inLibrary(String owner, String function, String name) {
    Optional<Module> holder = library(owner).filter(module -> module.find(function).isPresent());
    return holder
        .map(module -> new NeededFunction(name, true, module.origin()))
        .orElseGet(() -> new NeededFunction(name, false, "nobody: not in the library of " + owner));
  }

  private Optional<Module> library(String name) {
    try {
      Device opened = registry.require(name);
      return Optional.of(opened.library());
    } catch (BackendException e) {
      // The report goes on without the device; doctor tells what is wrong with it.
      return Optional.empty();
    }
  }
}
