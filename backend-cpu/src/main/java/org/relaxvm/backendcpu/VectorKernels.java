package org.relaxvm.backendcpu;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.kernel.Conv2dTransposeKernel;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.PoolKernels;
import org.relaxvm.backendcpu.kernel.attention.AttentionKernel;
import org.relaxvm.backendcpu.kernel.attention.PanelMath;
import org.relaxvm.backendcpu.kernel.normalization.BatchNormKernel;
import org.relaxvm.backendcpu.kernel.normalization.FloatRows;
import org.relaxvm.backendcpu.kernel.normalization.LineMath;
import org.relaxvm.backendcpu.kernel.normalization.NormalizationKernels;
import org.relaxvm.backendcpu.kernel.normalization.SoftmaxKernels;
import org.relaxvm.backendcpu.ordering.OrderingKernels;
import org.relaxvm.backendcpu.reduction.ReductionKernels;
import org.relaxvm.backendcpu.vector.DoubleColumns;
import org.relaxvm.backendcpu.vector.FloatColumns;
import org.relaxvm.backendcpu.vector.NarrowPanels;
import org.relaxvm.backendcpu.vector.VectorBlockMath;
import org.relaxvm.backendcpu.vector.VectorChannels;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendcpu.vector.VectorDoubleRows;
import org.relaxvm.backendcpu.vector.VectorRows;
import org.relaxvm.backendcpu.vector.VectorSoftmax;
import org.relaxvm.backendcpu.vector.WidePanels;
import org.relaxvm.backendcpu.vector.conv.ConvolutionKernel;
import org.relaxvm.backendcpu.vector.depthwise.DepthwiseKernel;
import org.relaxvm.backendcpu.vector.gemm.GemmKernel;
import org.relaxvm.backendcpu.vector.gemm.ProductConvolution;
import org.relaxvm.backendcpu.vector.pool.VectorPools;
import org.relaxvm.backendcpu.vector.reduction.FloatExtremes;
import org.relaxvm.backendcpu.vector.reduction.FloatSums;
import org.relaxvm.backendcpu.vector.reduction.VectorFinder;

/**
 * The kernels that exist in vector code. Loaded only where vector code was chosen; they replace the
 * portable kernels of the same names.
 */
final class VectorKernels {
  private static final int MANY_REGISTERS = 512;

  private VectorKernels() {}

  /** The kernels by name without prefix. */
  static Map<String, CpuKernel> kernels(VectorChoice vectors, BackendOptions options) {
    boolean manyRegisters =
        vectors.bits() == MANY_REGISTERS || System.getProperty("os.arch").equals("aarch64");
    GemmKernel gemm = manyRegisters ? GemmKernel.ofTwelveRows() : GemmKernel.ofSixRows();
    PanelMath panels = manyRegisters ? new WidePanels() : new NarrowPanels();
    ProductConvolution product = new ProductConvolution(gemm);
    String winograd = Objects.requireNonNullElse(options.property(ConvolutionKernel.WINOGRAD), "");
    ConvolutionKernel convolution =
        manyRegisters
            ? ConvolutionKernel.ofEightRows(product, winograd)
            : ConvolutionKernel.ofSixRows(product, winograd);
    DepthwiseKernel depthwise = new DepthwiseKernel(convolution);
    FloatRows rows = new VectorRows();
    LineMath lines =
        new LineMath(rows, new VectorDoubleRows(), new FloatColumns(), new DoubleColumns());
    VectorPools pools = new VectorPools();
    Map<String, CpuKernel> kernels = new HashMap<>(reductions());
    OrderingKernels.addExtremes(kernels, new VectorFinder());
    kernels.put("matmul", gemm);
    kernels.put("matmul_residual", gemm.ofResiduals());
    kernels.put("matmul_integer", gemm.ofIntegers());
    kernels.put("conv2d", depthwise);
    kernels.put("conv2d_residual", call -> depthwise.run(Convolution.ofResidual(call)));
    kernels.put("conv2d_transpose", Conv2dTransposeKernel.of(depthwise::run));
    kernels.put("max_pool2d", PoolKernels.max(pools));
    kernels.put("avg_pool2d", PoolKernels.average(pools));
    kernels.put("softmax", SoftmaxKernels.of(false, rows, new VectorSoftmax()));
    kernels.put("log_softmax", SoftmaxKernels.of(true, rows, new VectorSoftmax()));
    kernels.put("layer_norm", NormalizationKernels.layer(lines));
    kernels.put("rms_norm", NormalizationKernels.rms(lines));
    kernels.put("group_norm", NormalizationKernels.group(lines));
    kernels.put("batch_norm", BatchNormKernel.of(lines, new VectorChannels()));
    kernels.put("attention", AttentionKernel.of(new VectorBlockMath(), panels, gemm::run));
    return kernels;
  }

  private static Map<String, CpuKernel> reductions() {
    return Map.of(
        "sum", ReductionKernels.of(BinaryOp.ADD, false, FloatSums::new),
        "mean", ReductionKernels.of(BinaryOp.ADD, true, FloatSums::new),
        "max", ReductionKernels.of(BinaryOp.MAXIMUM, false, FloatExtremes::largest),
        "min", ReductionKernels.of(BinaryOp.MINIMUM, false, FloatExtremes::smallest));
  }
}
