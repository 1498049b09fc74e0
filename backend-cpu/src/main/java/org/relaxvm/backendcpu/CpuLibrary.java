package org.relaxvm.backendcpu;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Module;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Comparison;
import org.relaxvm.backendcpu.element.UnaryOp;
import org.relaxvm.backendcpu.function.FunctionKernels;
import org.relaxvm.backendcpu.indexing.IndexingKernels;
import org.relaxvm.backendcpu.kernel.CastKernel;
import org.relaxvm.backendcpu.kernel.CodeChoice;
import org.relaxvm.backendcpu.kernel.Conv2dKernel;
import org.relaxvm.backendcpu.kernel.Conv2dTransposeKernel;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.ElementwiseKernels;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.MatmulKernel;
import org.relaxvm.backendcpu.kernel.PoolKernels;
import org.relaxvm.backendcpu.kernel.WhereKernel;
import org.relaxvm.backendcpu.kernel.attention.AttentionKernel;
import org.relaxvm.backendcpu.kernel.normalization.BatchNormKernel;
import org.relaxvm.backendcpu.kernel.normalization.NormalizationKernels;
import org.relaxvm.backendcpu.kernel.normalization.SoftmaxKernels;
import org.relaxvm.backendcpu.library.FormulaFunction;
import org.relaxvm.backendcpu.library.FormulaLibrary;
import org.relaxvm.backendcpu.micro.MachineKernels;
import org.relaxvm.backendcpu.movement.CopyKernels;
import org.relaxvm.backendcpu.movement.FillKernels;
import org.relaxvm.backendcpu.movement.LayoutKernels;
import org.relaxvm.backendcpu.ordering.OrderingKernels;
import org.relaxvm.backendcpu.reduction.ReductionKernels;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendcpu.vector.math.VectorFloatLanes;
import org.relaxvm.backendcpu.vector.movement.VectorBlockMoves;
import org.relaxvm.backendcpu.vector.movement.VectorSelection;

/** Maps each kernel-library function to its CPU implementation. */
final class CpuLibrary {
  private static final String PREFIX = "relaxvm.";

  private CpuLibrary() {}

  /**
   * The library.
   *
   * @param formulas which functions are machine code, and run the calls that they can
   */
  static Module create(
      VectorChoice vectors, BackendOptions options, Optional<FormulaLibrary> formulas) {
    CodeChoice code =
        vectors.vectors()
            ? new CodeChoice(new VectorFloatLanes(), new VectorBlockMoves(), new VectorSelection())
            : CodeChoice.portable();
    Map<String, CpuKernel> kernels = kernels(vectors, options);
    Map<String, PackedFunc> functions = new HashMap<>();
    Map<String, CallEffects> effects = new HashMap<>();
    for (KernelSignature signature : KernelLibrary.standard().signatures()) {
      CpuKernel kernel = kernels.get(signature.name().substring(PREFIX.length()));
      if (kernel != null) {
        effects.put(signature.name(), signature.effects());
        functions.put(
            signature.name(),
            formulas
                .flatMap(library -> library.find(signature.name()))
                .map(formula -> function(signature, formula, kernel, code))
                .orElseGet(
                    () -> (args, _) -> kernel.run(KernelCall.checked(signature, args, code))));
      }
    }
    return Module.of("kernel library of cpu:0", functions, effects);
  }

  private static PackedFunc function(
      KernelSignature signature, FormulaFunction formula, CpuKernel kernel, CodeChoice code) {
    return (args, _) -> {
      KernelCall call = KernelCall.checked(signature, args, code);
      if (!formula.run(args)) {
        kernel.run(call);
      }
    };
  }

  /** The kernels by name without prefix: in vector code where that was chosen and there is some. */
  static Map<String, CpuKernel> kernels(VectorChoice vectors, BackendOptions options) {
    Map<String, CpuKernel> kernels = portableKernels();
    if (vectors.vectors()) {
      kernels.putAll(VectorKernels.kernels(vectors, options));
    }
    if (MachineKernels.areUsed()) {
      MachineKernels.addTo(kernels);
    }
    return kernels;
  }

  private static Map<String, CpuKernel> portableKernels() {
    Map<String, CpuKernel> kernels = new HashMap<>();
    kernels.put("matmul", MatmulKernel::run);
    kernels.put("matmul_residual", MatmulKernel::runResidual);
    kernels.put("matmul_integer", MatmulKernel::runIntegers);
    kernels.put("conv2d", Conv2dKernel::run);
    kernels.put("conv2d_residual", Conv2dKernel::runResidual);
    kernels.put("conv2d_transpose", Conv2dTransposeKernel.of(Conv2dKernel::run));
    kernels.put("max_pool2d", PoolKernels.max(null));
    kernels.put("avg_pool2d", PoolKernels.average(null));
    kernels.put("softmax", SoftmaxKernels.of(false));
    kernels.put("log_softmax", SoftmaxKernels.of(true));
    kernels.put("layer_norm", NormalizationKernels.layer(null));
    kernels.put("rms_norm", NormalizationKernels.rms(null));
    kernels.put("group_norm", NormalizationKernels.group(null));
    kernels.put("batch_norm", BatchNormKernel.of(null, null));
    kernels.put("attention", AttentionKernel.of(null, null, null));
    for (BinaryOp op : BinaryOp.values()) {
      kernels.put(name(op), ElementwiseKernels.binary(op));
    }
    for (Comparison op : Comparison.values()) {
      kernels.put(name(op), ElementwiseKernels.comparison(op));
    }
    for (UnaryOp op : UnaryOp.values()) {
      kernels.put(name(op), ElementwiseKernels.unary(op));
    }
    kernels.put("sum", ReductionKernels.of(BinaryOp.ADD, false, null));
    kernels.put("mean", ReductionKernels.of(BinaryOp.ADD, true, null));
    kernels.put("prod", ReductionKernels.of(BinaryOp.MULTIPLY, false, null));
    kernels.put("max", ReductionKernels.of(BinaryOp.MAXIMUM, false, null));
    kernels.put("min", ReductionKernels.of(BinaryOp.MINIMUM, false, null));
    kernels.put("where", WhereKernel::run);
    kernels.put("cast", CastKernel::run);
    kernels.put("copy", CopyKernels::copy);
    kernels.put("reshape", CopyKernels::reshape);
    kernels.put("permute_dims", CopyKernels::permute);
    kernels.put("concat", CopyKernels::concat);
    kernels.put("full", FillKernels::full);
    kernels.put("arange", FillKernels::arange);
    FunctionKernels.addTo(kernels);
    LayoutKernels.addTo(kernels);
    IndexingKernels.addTo(kernels);
    OrderingKernels.addTo(kernels);
    return kernels;
  }

  private static String name(Enum<?> op) {
    return op.name().toLowerCase(Locale.ROOT);
  }
}
