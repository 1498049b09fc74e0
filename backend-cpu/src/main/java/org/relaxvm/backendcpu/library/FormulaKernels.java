package org.relaxvm.backendcpu.library;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.tir.library.KernelRequest;
import org.relaxvm.tir.library.LibraryKernel;

/**
 * Compiled kernels by what they depend on, at most a given number of them. The code of one that is
 * removed is freed when its last call ends. Thread-safe.
 */
final class FormulaKernels {
  /**
   * What calls run.
   *
   * @param kernel what it was compiled from
   */
  record Compiled(LibraryKernel kernel, PackedFunc function) {}

  private final KernelCompiler compiler;
  private final int capacity;
  private final Map<List<@Nullable Object>, Optional<Compiled>> kept =
      new LinkedHashMap<>(16, 0.75f, true);

  /** None yet. */
  FormulaKernels(KernelCompiler compiler, int capacity) {
    this.compiler = compiler;
    this.capacity = capacity;
  }

  /**
   * The kernel of a call. Two threads may both compile it; one is kept.
   *
   * @return empty if it cannot become machine code, or if there is nothing to compute
   * @throws org.relaxvm.api.error.RelaxException if the call is wrong
   */
  Optional<Compiled> get(KernelRequest request) {
    List<@Nullable Object> key = request.key();
    synchronized (kept) {
      Optional<Compiled> known = kept.get(key);
      if (known != null) {
        return known;
      }
    }
    Optional<Compiled> made = request.make().flatMap(this::compile);
    synchronized (kept) {
      kept.put(key, made);
      var eldest = kept.keySet().iterator();
      while (kept.size() > capacity) {
        eldest.next();
        eldest.remove();
      }
    }
    return made;
  }

  private Optional<Compiled> compile(LibraryKernel kernel) {
    try {
      return Optional.of(
          new Compiled(kernel, compiler.compile(kernel.function(), _ -> Optional.empty())));
    } catch (BackendException e) {
      return Optional.empty();
    }
  }

  /** How many calls of different kernels are known. */
  int size() {
    synchronized (kept) {
      return kept.size();
    }
  }
}
