package org.relaxvm.backendcpu;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.codegen.VectorOperations;
import org.relaxvm.backendcpu.host.HostFunction;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.abi.KernelText;
import org.relaxvm.tir.analysis.KernelEffects;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;

/**
 * Loads kernels of the kernel IR: checks them at once, and generates code for each when it is
 * called for the first time. Thread-safe.
 */
final class TirKernels {
  /** Of the process, so that VMs share the code of kernels. */
  private static final class Compiler {
    static final CodeOptions CODE = CodeOptions.of(BackendOptions.none());
    static final KernelCompiler SHARED = compiler(VectorChoice.get(), CODE, BackendOptions.none());
  }

  private final KernelCompiler compiler;
  private final Module library;

  /**
   * A loader.
   *
   * @param library what kernels may call, and be replaced with
   * @param vectors whether code of the JVM has vectors
   * @param code whether kernels become machine code
   * @param options of the backend
   */
  TirKernels(Module library, VectorChoice vectors, CodeOptions code, BackendOptions options) {
    this(
        library,
        vectors.equals(VectorChoice.get())
                && Stream.of(KernelCompiler.DUMP_OPTION, CodeOptions.CODE, CodeOptions.FEATURES)
                    .noneMatch(options::isSet)
                && code.equals(Compiler.CODE)
            ? Compiler.SHARED
            : compiler(vectors, code, options));
  }

  /** A loader with a compiler of its own. */
  TirKernels(Module library, KernelCompiler compiler) {
    this.library = library;
    this.compiler = compiler;
  }

  private static KernelCompiler compiler(
      VectorChoice vectors, CodeOptions code, BackendOptions options) {
    return new KernelCompiler(VectorOperations.of(vectors), CpuSchedule::of, code, options);
  }

  /**
   * The kernels of an image.
   *
   * @throws BackendException when the text has no kernel of one of the symbols
   * @throws org.relaxvm.api.error.RelaxException when the text cannot be read, or a kernel breaks a
   *     rule of the kernel IR
   */
  Module load(ModuleImage image) {
    String origin = "kernels of the program on cpu:0";
    Map<String, PackedFunc> kernels = new HashMap<>();
    Map<String, CallEffects> effects = new HashMap<>();
    for (PrimFunc function : KernelText.parse(image, origin)) {
      kernels.put(
          function.name(),
          function.isHostFunction()
              ? new HostFunction(function)
              : new TirKernel(function, compiler, library::find));
      effects.put(function.name(), effects(function));
    }
    return Module.of(origin, kernels, effects);
  }

  /**
   * Temporary buffers are memory of the allocator of the call, unless a schedule leaves them out.
   */
  private static CallEffects effects(PrimFunc kernel) {
    boolean[] hasBuffers = {false};
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        hasBuffers[0] |= !block.allocBuffers().isEmpty();
        super.visit(block);
      }
    }.visit(kernel);
    CallEffects effects = KernelEffects.of(kernel);
    return hasBuffers[0] ? effects.asAllocation() : effects;
  }
}
