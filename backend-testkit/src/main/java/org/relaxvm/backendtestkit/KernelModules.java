package org.relaxvm.backendtestkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;

/**
 * Some kernels of the corpus as one module of a device. They are loaded when the first one is asked
 * for. A module that is refused is halved until it is known which kernel it is. Not thread-safe.
 */
final class KernelModules implements AutoCloseable {
  private final ModuleLoader loader;
  private final List<KernelCase> kernels;
  private final List<Module> modules = new ArrayList<>();
  private final Map<String, PackedFunc> functions = new HashMap<>();
  private final Map<String, String> refusals = new HashMap<>();
  private int left;
  private boolean isLoaded;

  KernelModules(ModuleLoader loader, List<KernelCase> kernels) {
    this.loader = loader;
    this.kernels = List.copyOf(kernels);
    left = kernels.size();
  }

  List<KernelCase> kernels() {
    return kernels;
  }

  /**
   * The function of a kernel.
   *
   * @throws AssertionError if the device refuses the kernel
   */
  PackedFunc function(KernelCase kernel) {
    if (!isLoaded) {
      isLoaded = true;
      load(kernels);
    }
    String refusal = refusals.get(kernel.name());
    PackedFunc function = functions.get(kernel.name());
    if (refusal != null || function == null) {
      throw new AssertionError(refusal);
    }
    return function;
  }

  /** Tells that a kernel was run. After the last one the modules are closed. */
  void finished() {
    left--;
    if (left == 0) {
      close();
    }
  }

  @Override
  public void close() {
    modules.forEach(Module::close);
    modules.clear();
    functions.clear();
  }

  private void load(List<KernelCase> some) {
    try {
      Module module = loader.loadModule(image(some));
      modules.add(module);
      for (KernelCase kernel : some) {
        PackedFunc function = module.find(kernel.name()).orElseThrow();
        if (function instanceof Preparable preparable) {
          preparable.prepare();
        }
        functions.put(kernel.name(), function);
      }
    } catch (RelaxException e) {
      refused(some, e);
    }
  }

  private void refused(List<KernelCase> some, RelaxException refusal) {
    KernelCase first = some.getFirst();
    if (some.size() == 1) {
      refusals.put(first.name(), first + " is refused: " + refusal.getMessage());
      return;
    }
    int before = refusals.size();
    load(some.subList(0, some.size() / 2));
    load(some.subList(some.size() / 2, some.size()));
    if (refusals.size() == before) {
      refusals.put(
          first.name(),
          some + " are refused in one module, but not in two: " + refusal.getMessage());
    }
  }

  private static ModuleImage image(List<KernelCase> kernels) {
    List<PrimFunc> functions = kernels.stream().map(KernelCase::function).toList();
    return new ModuleImage(
        BaseKernelIrConformanceTest.FORMAT,
        kernels.stream().map(KernelCase::name).toList(),
        MemorySegment.ofArray(TirText.print(functions).getBytes(UTF_8)));
  }
}
