package org.relaxvm.backendcpu;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.substitution.LibraryCall;
import org.relaxvm.backendcpu.substitution.SplitKernel;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.analysis.KernelAnalysis;

/**
 * A loaded kernel. Each call picks one of three: the library function alone, generated code that
 * calls it, or generated code only (small matmuls). Code is generated on first use. Thread-safe.
 */
final class TirKernel implements PackedFunc, Preparable {
  private final int parameters;
  private final Optional<LibraryCall> library;
  private final PackedFunc whenWorthIt;
  private final Code code;

  TirKernel(
      PrimFunc function,
      KernelCompiler compiler,
      Function<String, Optional<PackedFunc>> functions) {
    this.parameters = function.params().size();
    this.code = new Code(function, compiler, functions);
    KernelAnalysis kernel = KernelAnalysis.of(function);
    Optional<LibraryCall> whole = LibraryCall.of(kernel, functions);
    Optional<SplitKernel> split =
        whole.isPresent() ? Optional.empty() : SplitKernel.of(kernel, functions);
    this.library = whole.or(() -> split.map(SplitKernel::call));
    if (whole.isPresent()) {
      this.whenWorthIt = whole.get();
    } else if (split.isPresent()) {
      this.whenWorthIt = new Code(split.get().kernel(), compiler, split.get().functions(functions));
    } else {
      this.whenWorthIt = code;
    }
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    boolean worthIt =
        library.isPresent() && args.count() == parameters && library.get().isWorthIt(args);
    (worthIt ? whenWorthIt : code).call(args, result);
  }

  /**
   * Generates all code that calls may need: one where extents are known, both with and without the
   * library where those of each call decide, and none where the library always does all.
   */
  @Override
  public void prepare() {
    if (library.isEmpty() || library.get().mayNotBeWorthIt()) {
      code.get();
    }
    if (library.isPresent()
        && library.get().mayBeWorthIt()
        && whenWorthIt instanceof Code withLibrary) {
      withLibrary.get();
    }
  }

  /** Code that is generated once. */
  private static final class Code implements PackedFunc {
    private final PrimFunc function;
    private final KernelCompiler compiler;
    private final Function<String, Optional<PackedFunc>> functions;
    private volatile @Nullable PackedFunc generated;

    Code(
        PrimFunc function,
        KernelCompiler compiler,
        Function<String, Optional<PackedFunc>> functions) {
      this.function = function;
      this.compiler = compiler;
      this.functions = functions;
    }

    @Override
    public void call(CallArgs args, CallResult result) {
      get().call(args, result);
    }

    PackedFunc get() {
      PackedFunc known = generated;
      if (known == null) {
        synchronized (this) {
          known = generated;
          if (known == null) {
            known = compiler.compile(function, functions);
            generated = known;
          }
        }
      }
      return known;
    }
  }
}
