package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.interp.CompiledFunction;
import org.relaxvm.vmcore.interp.DeviceSet;
import org.relaxvm.vmcore.interp.Engine;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.HostFunctions;
import org.relaxvm.vmcore.program.HostLinks;
import org.relaxvm.vmcore.program.Program;

/**
 * Binds a program to devices and functions: opens devices, places constants, loads kernels and
 * resolves every name (TVM's InitFuncPool).
 *
 * <p>Source: docs/spec/vm-semantics.md, sections 2 and 3.
 */
public final class Linker {
  private Linker() {}

  /**
   * Links.
   *
   * @throws org.relaxvm.api.error.LinkException with every missing name, or all providers of an
   *     ambiguous one; nothing is held afterwards
   * @throws org.relaxvm.api.error.BackendException when a device cannot be had
   */
  public static Linked link(Program program, LinkOptions options) {
    Resources resources = new Resources();
    try {
      return link(program, options, resources);
    } catch (RuntimeException | Error e) {
      resources.closeAfter(e);
      throw e;
    }
  }

  private static Linked link(Program program, LinkOptions options, Resources resources) {
    Fallbacks fallbacks = new Fallbacks(options.allowsFallback());
    DeviceSet devices =
        DeviceOpening.open(program.metadata().devices(), options, fallbacks, resources);
    return link(program, options, devices, fallbacks, resources);
  }

  /** Links to the devices of another program. */
  private static Module nested(Program program, LinkOptions options, DeviceSet devices) {
    Resources resources = new Resources();
    try {
      Fallbacks fallbacks = new Fallbacks(options.allowsFallback());
      Linked linked = link(program, options, devices, fallbacks, resources);
      resources.add(linked.engine().attachments()::close);
      return new NestedProgram(program, linked);
    } catch (RuntimeException | Error e) {
      resources.closeAfter(e);
      throw e;
    }
  }

  private static Linked link(
      Program program,
      LinkOptions options,
      DeviceSet devices,
      Fallbacks fallbacks,
      Resources resources) {
    Executable executable = program.executable();
    ModuleLoading.Result kernels =
        ModuleLoading.load(program.modules(), devices, options.registry(), fallbacks, resources);
    GlobalFunctions globals =
        new GlobalFunctions(options.registry(), options.functions(), options.effects());
    List<PlacedModule> modules = new ArrayList<>();
    HostLinks links =
        new HostLinks(
            kernels.modules().stream().map(PlacedModule::module).toList(),
            name -> globals.find(name).map(Located::function));
    for (HostCode code : program.hostCode()) {
      Module module = code.load(links);
      resources.add(module::close);
      modules.add(PlacedModule.of(module));
    }
    for (HostFunctions functions : program.hostFunctions()) {
      Module module = functions.link(other -> nested(other, options, devices));
      resources.add(module::close);
      modules.add(PlacedModule.of(module));
    }
    modules.addAll(kernels.modules());
    options.modules().forEach(module -> modules.add(PlacedModule.of(module)));
    FunctionSearch search = new FunctionSearch(modules, devices, fallbacks, globals);
    int count = executable.functions().size();
    @Nullable PackedFunc[] functions = new PackedFunc[count];
    Linked.Origin[] origins = new Linked.Origin[count];
    CallEffects[] effects = new CallEffects[count];
    Arrays.fill(effects, CallEffects.UNKNOWN);
    resolve(executable.functions(), search, kernels.lacking(), functions, origins, effects);
    @Nullable Object[] constants = ConstantPlacement.place(executable, devices, resources);
    Engine engine =
        new Engine(
            executable,
            program.metadata().sourceNodes(),
            constants,
            functions,
            devices,
            options.workers(),
            links.globals(),
            globals.registered(),
            options.limits(),
            options.tiers(),
            options.parallelism(),
            effects);
    resources.add(engine::closeThreads);
    return new Linked(
        engine,
        List.of(origins),
        Collections.unmodifiableList(Arrays.asList(constants)),
        search,
        Stream.of(functions)
            .filter(Preparable.class::isInstance)
            .map(Preparable.class::cast)
            .toList(),
        fallbacks,
        resources);
  }

  private static void resolve(
      List<FunctionInfo> table,
      FunctionSearch search,
      Map<String, String> lacking,
      @Nullable PackedFunc[] functions,
      Linked.Origin[] origins,
      CallEffects[] effects) {
    MissingFunctions missing = new MissingFunctions(search, lacking);
    for (int i = 0; i < functions.length; i++) {
      FunctionInfo info = table.get(i);
      switch (info.kind()) {
        case VM -> origins[i] = new Linked.Origin("bytecode of the program", null);
        case PACKED -> {
          Optional<Located> found = search.find(info.name());
          if (found.isPresent()) {
            functions[i] = found.get().function();
            effects[i] = found.get().effects();
            origins[i] = new Linked.Origin(found.get().origin(), found.get().device());
          } else {
            missing.addPacked(info.name());
          }
        }
        case VMTIR -> {
          Optional<Located> found =
              search.findInModules(FunctionKind.COMPILED_PREFIX + info.name());
          if (found.isPresent()) {
            functions[i] = new CompiledFunction(info, found.get().function());
            origins[i] = new Linked.Origin(found.get().origin(), found.get().device());
          } else {
            missing.addCompiled(info.name());
          }
        }
      }
    }
    missing.throwIfAny();
  }
}
