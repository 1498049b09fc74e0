package org.relaxvm.backendcpu.library;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.library.LibraryCall;
import org.relaxvm.tir.library.LibraryFormula;

/**
 * A function of the library as machine code. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why do library functions remember exact calls?"
 */
public final class FormulaFunction {
  /** How many calls are remembered; a power of 2. */
  private static final int RECENT = 64;

  /** The kernel of a call, so that another call like it need not find out what it depends on. */
  private record Known(CallKey key, Optional<FormulaKernels.Compiled> compiled) {}

  private final LibraryFormula formula;
  private final FormulaKernels kernels;
  private final String name;
  private final AtomicReferenceArray<@Nullable Known> recent = new AtomicReferenceArray<>(RECENT);

  FormulaFunction(LibraryFormula formula, FormulaKernels kernels) {
    this.formula = formula;
    this.kernels = kernels;
    this.name = formula.signature().name().substring(FormulaLibrary.PREFIX.length());
  }

  /**
   * Runs a call, if there is machine code for it.
   *
   * @param args of the kinds and dtypes of the signature
   * @return false if nothing was done: tensors have strides or overlap, an argument is wrong, the
   *     dtypes have no machine code, several threads are faster without it, or there is nothing to
   *     compute
   * @throws CallException if an element is wrong, such as an integer divisor of 0
   */
  public boolean run(CallArgs args) {
    LibraryCall call = LibraryCall.of(formula.signature(), args);
    if (!call.isPlain() || FormulaChoice.needsThreads(call, name)) {
      return false;
    }
    Optional<FormulaKernels.Compiled> compiled;
    try {
      compiled = kernel(call);
    } catch (CallException | InvalidProgramException e) {
      return false;
    }
    if (compiled.isEmpty()) {
      return false;
    }
    try {
      compiled.get().kernel().run(compiled.get().function(), call);
    } catch (CallException e) {
      throw new CallException(e.kind(), formula.signature().name() + ": " + e.summary(), e);
    }
    return true;
  }

  private Optional<FormulaKernels.Compiled> kernel(LibraryCall call) {
    CallKey key = CallKey.of(call.args());
    int slot = (key.hashCode() ^ key.hashCode() >>> 16) & RECENT - 1;
    Known known = recent.get(slot);
    if (known != null && known.key().equals(key)) {
      return known.compiled();
    }
    Optional<FormulaKernels.Compiled> compiled = kernels.get(formula.request(call, false));
    recent.set(slot, new Known(key, compiled));
    return compiled;
  }
}
