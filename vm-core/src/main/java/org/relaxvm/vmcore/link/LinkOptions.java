package org.relaxvm.vmcore.link;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.dataflow.ParallelPolicy;
import org.relaxvm.vmcore.interp.CallLimits;
import org.relaxvm.vmcore.tier.TierPolicy;

/**
 * What a user chose for a virtual machine.
 *
 * @param devices in order, as {@link BackendRegistry#require(String)} reads them; the host is added
 *     when the last is none
 * @param registry where devices and function providers come from; not closed by the linker
 * @param modules the user's modules, searched like the program's own; not closed by the linker
 * @param functions the user's functions by name
 * @param effects what is known of the effects of these functions, by name
 * @param allocators makes the allocator of each device
 * @param allowsFallback whether the host does what devices lack
 * @param tiers when functions are compiled
 * @param parallelism how many calls that do not depend on each other run at the same time at most
 */
public record LinkOptions(
    List<String> devices,
    BackendRegistry registry,
    List<Module> modules,
    Map<String, PackedFunc> functions,
    Map<String, CallEffects> effects,
    Function<Device, Allocator> allocators,
    boolean allowsFallback,
    WorkerPool workers,
    CallLimits limits,
    TierPolicy tiers,
    ParallelPolicy parallelism) {
  /** Copies the collections. */
  public LinkOptions {
    devices = List.copyOf(devices);
    modules = List.copyOf(modules);
    functions = Map.copyOf(functions);
    effects = Map.copyOf(effects);
  }
}
