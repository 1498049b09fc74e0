package org.relaxvm.backendopencl.program;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.KernelBuildEvent;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.context.DeviceFacts;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.cache.KernelKey;

/** Builds programs that are kept on disk. Thread-safe. */
public final class CachedPrograms {
  private final DeviceContext context;
  private final KernelCache cache;

  /** Programs of one device. */
  public CachedPrograms(DeviceContext context, KernelCache cache) {
    this.context = context;
    this.cache = cache;
  }

  /** What {@link OpenClProgram#build} gives, or the same from an earlier time. */
  public OpenClProgram build(String name, String source, String options) {
    KernelBuildEvent event = Events.areOn() ? KernelBuildEvent.start() : null;
    Found found = find(name, source, options);
    if (event != null) {
      event.finish(name, context.id(), found.cached());
    }
    return found.program();
  }

  private record Found(OpenClProgram program, boolean cached) {}

  private Found find(String name, String source, String options) {
    if (cache.isOff()) {
      // Asking for a binary makes drivers compile more than a launch needs.
      return new Found(OpenClProgram.build(context, name, source, options), false);
    }
    DeviceFacts facts = context.facts();
    KernelKey key =
        new KernelKey(
            source,
            facts.platform() + "; " + facts.name() + "; " + facts.version(),
            facts.driverVersion(),
            options);
    Compilation compilation = new Compilation(name, source, options);
    byte[] binary;
    try {
      binary = cache.get(key, compilation::run);
    } catch (RuntimeException e) {
      // A device that builds a program and cannot give it back.
      OpenClProgram built = compilation.program;
      if (built != null) {
        return new Found(built, false);
      }
      throw e;
    }
    OpenClProgram built = compilation.program;
    if (built != null) {
      return new Found(built, false);
    }
    try {
      return new Found(OpenClProgram.load(context, binary), true);
    } catch (BackendException refused) {
      context.requireUsable();
      cache.discard(key);
      return new Found(OpenClProgram.build(context, name, source, options), false);
    }
  }

  /** Remembers what it compiled, so that it need not be loaded. For one thread. */
  private final class Compilation {
    private final String name;
    private final String source;
    private final String options;
    @Nullable OpenClProgram program;

    Compilation(String name, String source, String options) {
      this.name = name;
      this.source = source;
      this.options = options;
    }

    byte[] run() {
      OpenClProgram built = OpenClProgram.build(context, name, source, options);
      program = built;
      return built.binary();
    }
  }
}
