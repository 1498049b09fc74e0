package org.relaxvm.vmcore.vm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.LeakNet;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.link.LinkOptions;
import org.relaxvm.vmcore.link.Linked;
import org.relaxvm.vmcore.link.Linker;
import org.relaxvm.vmcore.link.Resources;
import org.relaxvm.vmcore.program.Program;

/** Chooses devices, functions and limits of a virtual machine, and builds it. Not thread-safe. */
public final class VmBuilder {
  private final Program program;
  private final List<String> devices = new ArrayList<>();
  private final List<Module> modules = new ArrayList<>();
  private final Map<String, PackedFunc> functions = new LinkedHashMap<>();
  private final Map<String, CallEffects> effects = new LinkedHashMap<>();
  private final Map<String, String> backendOptions = new LinkedHashMap<>();
  private @Nullable BackendRegistry registry;
  private AllocatorKind allocatorKind = AllocatorKind.POOLED;
  private @Nullable Function<Device, Allocator> allocators;
  private @Nullable WorkerPool workers;
  private @Nullable Instrument instrument;
  private boolean allowsFallback;
  private boolean traceLeaks;
  private Limits limits = Limits.defaults();
  private Tier tier = Tier.preset();
  private Parallelism parallelism = Parallelism.preset();
  private InputCopies inputCopies = InputCopies.COPY;

  VmBuilder(Program program) {
    this.program = program;
  }

  /**
   * Adds a device: its number, such as {@code cuda:0}, or a part of its name, as {@link
   * BackendRegistry#require(String)} reads it. The first is the main device, where constants and
   * converted inputs go. The host is added after the last when that is none; without any device the
   * host is the only one. Devices have any order. A CPU device of any number, such as {@code
   * cpu:2}, is the host: a program that was compiled for several finds each, and they share host
   * memory and kernels.
   *
   * <p>A program that is {@linkplain org.relaxvm.vmcore.program.ProgramMetadata#devices placed} on
   * devices gets those that it names, or others of the same kind instead, in the order in which it
   * names them; further devices come after them. Without any device here it gets what it names.
   */
  public VmBuilder device(String device) {
    devices.add(device);
    return this;
  }

  /** As {@link #device(String)}. */
  public VmBuilder device(DeviceId device) {
    return device(device.toString());
  }

  /**
   * Sets an option of a backend, such as {@code option("cuda.cublas", "off")}. {@code doctor} lists
   * the options of each backend. {@link #build()} fails for an option that does not exist, and for
   * a backend that the registry opened before with another value. When the build fails, the options
   * of backends that it did not open are taken back.
   *
   * @param name the backend's name, a point and the option's name
   */
  public VmBuilder option(String name, String value) {
    backendOptions.put(name, value);
    return this;
  }

  /**
   * Runs on the host what the devices do not support: kernels, which are then called with copies of
   * their arguments, and whole devices, whose memory is then host memory. Each fallback is logged
   * as a warning, recorded as an event, and listed by {@link VirtualMachine#placement}. Without
   * this option such a program is refused.
   */
  public VmBuilder fallbackToHost() {
    this.allowsFallback = true;
    return this;
  }

  /**
   * Chooses what a call does with host tensors whose parameter is on another device; {@link
   * InputCopies#COPY} unless chosen.
   */
  public VmBuilder inputCopies(InputCopies mode) {
    this.inputCopies = mode;
    return this;
  }

  /**
   * Chooses where devices and function providers come from; the caller closes it after the VM.
   * Without it the VM discovers all that the class path has, and closes that itself.
   */
  public VmBuilder registry(BackendRegistry chosen) {
    this.registry = chosen;
    return this;
  }

  /**
   * Adds a module whose functions the program may call; searched after the program's own modules
   * and before everything else, in the order added. The caller closes it after the VM.
   */
  public VmBuilder module(Module module) {
    modules.add(module);
    return this;
  }

  /**
   * Registers a function that the program may call by name; modules, the device's library and
   * function providers come before it. {@link org.relaxvm.api.Functions} registers for all virtual
   * machines; its functions come after those of the builder.
   *
   * @throws LinkException a {@code ValueError} when the name is already registered
   */
  public VmBuilder function(String name, PackedFunc function) {
    if (functions.putIfAbsent(name, function) != null) {
      throw new LinkException(
          ErrorKind.VALUE, "function '" + name + "' is already registered on this builder");
    }
    return this;
  }

  /**
   * Registers a function with known effects, as {@link #function(String, PackedFunc)} does one with
   * unknown ones. Calls may then run at the same time as others, see {@link #parallelism(int)}.
   *
   * @throws LinkException a {@code ValueError} when the name is already registered
   */
  public VmBuilder function(String name, PackedFunc function, CallEffects known) {
    function(name, function);
    effects.put(name, known);
    return this;
  }

  /** Chooses how devices give memory; {@link AllocatorKind#POOLED} unless chosen. */
  public VmBuilder allocator(AllocatorKind kind) {
    this.allocatorKind = kind;
    this.allocators = null;
    return this;
  }

  /** Makes the allocator of each device; the VM closes them. */
  public VmBuilder allocator(Function<Device, Allocator> factory) {
    this.allocators = factory;
    return this;
  }

  /** Bounds memory and calls; {@link Limits#defaults} unless chosen. */
  public VmBuilder limits(Limits chosen) {
    this.limits = chosen;
    return this;
  }

  /**
   * Chooses how bytecode functions are executed; {@link Tier#AUTO} unless chosen, or what {@code
   * -Drelaxvm.tier=} names.
   */
  public VmBuilder tier(Tier chosen) {
    this.tier = chosen;
    return this;
  }

  /**
   * Runs calls that do not depend on each other at the same time, where that is measured to be
   * faster: up to so many on threads of the VM's own, the calling thread included. Results and
   * errors are those of execution in program order; with a memory budget, so is the memory in use.
   * Kernels that run at the same time share the threads of {@link #workers}.
   *
   * <p>Where the program has devices other than the host, work is submitted in program order, to as
   * many streams of each device instead.
   *
   * <p>Calls are independent where the {@link CallEffects} of their functions say so; a call with
   * unknown effects stays in program order. Calls that an instrument watches, that are captured, or
   * whose instructions are limited, execute in program order in any case.
   *
   * @param calls at least 1; 1, unless chosen, for program order
   */
  public VmBuilder parallelism(int calls) {
    return parallelism(Parallelism.of(calls));
  }

  /** As {@link #parallelism(int)}. */
  public VmBuilder parallelism(Parallelism chosen) {
    this.parallelism = chosen;
    return this;
  }

  /** Chooses the threads for parallel work on the host; the caller closes them after the VM. */
  public VmBuilder workers(WorkerPool pool) {
    this.workers = pool;
    return this;
  }

  /** Sets an instrument from the first call on; see {@link VirtualMachine#instrument}. */
  public VmBuilder instrument(Instrument chosen) {
    this.instrument = chosen;
    return this;
  }

  /**
   * Records for every result where it was made, so that the warning of a forgotten close shows it.
   * Costs a stack trace per result.
   */
  public VmBuilder traceLeaks(boolean trace) {
    this.traceLeaks = trace;
    return this;
  }

  /**
   * Opens the devices, places constants, loads the program's kernels and resolves every name.
   *
   * @return the VM, which the caller closes
   * @throws LinkException with all missing functions and what was searched; two providers of one
   *     name are named both
   * @throws org.relaxvm.api.error.BackendException when a device cannot be had
   */
  public VirtualMachine build() {
    BackendRegistry chosen = registry;
    if (chosen != null) {
      return build(chosen, new Resources());
    }
    BackendRegistry own = BackendRegistry.discover();
    Resources owned = new Resources();
    owned.add(own::close);
    return build(own, owned);
  }

  /** Builds with a registry; what the VM owns beside its own is released after everything else. */
  private VirtualMachine build(BackendRegistry used, Resources owned) {
    Runnable takeOptionsBack = () -> {};
    try {
      takeOptionsBack = used.options(backendOptions);
      Linked linked = Linker.link(program, options(used));
      linked.resources().addLast(owned::close);
      VirtualMachine vm = new VirtualMachine(program, linked, new LeakNet(traceLeaks), inputCopies);
      vm.instrument(instrument);
      return vm;
    } catch (RuntimeException | Error e) {
      takeOptionsBack.run();
      owned.closeAfter(e);
      throw e;
    }
  }

  private LinkOptions options(BackendRegistry used) {
    AllocatorOptions allocatorOptions = AllocatorOptions.DEFAULT.withBudget(limits.memoryBudget());
    Function<Device, Allocator> factory =
        allocators != null ? allocators : device -> allocatorKind.create(device, allocatorOptions);
    return new LinkOptions(
        devices,
        used,
        modules,
        functions,
        effects,
        factory,
        allowsFallback,
        workers != null ? workers : WorkerPool.shared(),
        limits.ofCalls(),
        tier.policy(),
        parallelism.policy());
  }
}
