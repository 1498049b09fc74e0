package org.relaxvm.backendcuda.program;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.events.KernelBuildEvent;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.kernels.CompileException;
import org.relaxvm.backendcuda.kernels.CudaCompiler;
import org.relaxvm.backendcuda.kernels.CudaTarget;
import org.relaxvm.backendcuda.kernels.NoCompilerException;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.cache.KernelKey;
import org.relaxvm.backendsupport.gpu.module.FailedSourceDump;

/** Compiles programs for a device, and keeps what comes of it on disk. Thread-safe. */
public final class CachedImages {
  /** System property: the folder for sources that the compiler refuses. */
  public static final String FAILED_SOURCES = "relaxvm.cuda.failedSources";

  private static final FailedSourceDump REFUSED = new FailedSourceDump(FAILED_SOURCES, ".cu");

  private final DeviceContext context;
  private final CompilerSource compilers;
  private final KernelCache cache;

  /** Programs of one device. */
  public CachedImages(DeviceContext context, CompilerSource compilers, KernelCache cache) {
    this.context = context;
    this.compilers = compilers;
    this.cache = cache;
  }

  /**
   * Compiles CUDA C, or takes what came of it at an earlier time, and loads it.
   *
   * @param name for messages
   * @param source the whole program
   * @return a program that the caller closes
   * @throws BackendException when there is no compiler, or it refuses the source, with its log and
   *     where the source was written
   */
  public CudaProgram build(String name, String source) {
    context.requireUsable();
    CudaCompiler compiler = compiler(name);
    KernelBuildEvent event = Events.areOn() ? KernelBuildEvent.start() : null;
    Build build = new Build(name, source, compiler);
    CudaProgram program = build.run();
    if (event != null) {
      event.finish(name, context.id(), !build.compiled);
    }
    return program;
  }

  private CudaCompiler compiler(String name) {
    CompilerSource.Found found = compilers.find();
    return found.compiler().orElseThrow(() -> without(name, found.absence(), null));
  }

  private BackendException without(
      String name, String absence, @Nullable NoCompilerException cause) {
    return new BackendException(
        ErrorKind.RUNTIME,
        context.id() + " cannot build the program of " + name + ": " + absence,
        cause);
  }

  /** For one thread. */
  private final class Build {
    private final String name;
    private final String source;
    private final CudaCompiler compiler;
    private boolean compiled;

    Build(String name, String source, CudaCompiler compiler) {
      this.name = name;
      this.source = source;
      this.compiler = compiler;
    }

    CudaProgram run() {
      if (compiler.preparedFor().isPresent()) {
        // What was compiled before is not kept a second time.
        byte[] prepared = compile();
        compiled = false;
        return CudaProgram.load(context, name, prepared);
      }
      CudaTarget target = context.facts().target();
      KernelKey key = new KernelKey(source, target.cubin(), compiler.version(), "");
      byte[] image = cache.get(key, this::compile);
      try {
        return CudaProgram.load(context, name, image);
      } catch (BackendException refused) {
        context.requireUsable();
        cache.discard(key);
        if (compiled) {
          throw refused;
        }
        // Kept for another machine's driver, or damaged.
        return CudaProgram.load(context, name, compile());
      }
    }

    private byte[] compile() {
      compiled = true;
      try {
        return compiler.compile(name, source, context.facts().target());
      } catch (CompileException e) {
        throw refused(e);
      } catch (NoCompilerException e) {
        throw without(name, String.valueOf(e.getMessage()), e);
      }
    }

    private BackendException refused(CompileException e) {
      return new BackendException(
          ErrorKind.INTERNAL,
          context.id()
              + " cannot build the program of "
              + name
              + ": "
              + e.getMessage()
              + REFUSED.describe(context.options(), e.log(), source),
          e);
    }
  }
}
