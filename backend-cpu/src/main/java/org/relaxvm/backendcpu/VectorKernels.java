package org.relaxvm.backendcpu;

import java.util.Map;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.attention.AttentionKernel;
import org.relaxvm.backendcpu.kernel.attention.PanelMath;
import org.relaxvm.backendcpu.kernel.normalization.BatchNormKernel;
import org.relaxvm.backendcpu.kernel.normalization.FloatRows;
import org.relaxvm.backendcpu.kernel.normalization.NormalizationKernels;
import org.relaxvm.backendcpu.kernel.normalization.SoftmaxKernels;
import org.relaxvm.backendcpu.vector.NarrowPanels;
import org.relaxvm.backendcpu.vector.VectorBlockMath;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendcpu.vector.VectorRows;
import org.relaxvm.backendcpu.vector.WidePanels;
import org.relaxvm.backendcpu.vector.conv.ConvolutionKernel;
import org.relaxvm.backendcpu.vector.gemm.GemmKernel;
import org.relaxvm.backendcpu.vector.gemm.ProductConvolution;

/**
 * The kernels that exist in vector code. Loaded only where vector code was chosen; they replace the
 * portable kernels of the same names.
 */
final class VectorKernels {
  private static final int MANY_REGISTERS = 512;

  private VectorKernels() {}

  /** The kernels by name without prefix. */
  static Map<String, CpuKernel> kernels(VectorChoice vectors) {
    boolean manyRegisters =
        vectors.bits() == MANY_REGISTERS || System.getProperty("os.arch").equals("aarch64");
    GemmKernel gemm = manyRegisters ? GemmKernel.ofTwelveRows() : GemmKernel.ofSixRows();
    PanelMath panels = manyRegisters ? new WidePanels() : new NarrowPanels();
    ProductConvolution product = new ProductConvolution(gemm);
    FloatRows rows = new VectorRows();
    return Map.of(
        "matmul", gemm,
        "matmul_integer", gemm.ofIntegers(),
        "conv2d",
            manyRegisters
                ? ConvolutionKernel.ofEightRows(product)
                : ConvolutionKernel.ofSixRows(product),
        "softmax", SoftmaxKernels.of(false, rows),
        "log_softmax", SoftmaxKernels.of(true, rows),
        "layer_norm", NormalizationKernels.layer(rows),
        "rms_norm", NormalizationKernels.rms(rows),
        "group_norm", NormalizationKernels.group(rows),
        "batch_norm", BatchNormKernel.of(rows),
        "attention", AttentionKernel.of(new VectorBlockMath(), panels));
  }
}
