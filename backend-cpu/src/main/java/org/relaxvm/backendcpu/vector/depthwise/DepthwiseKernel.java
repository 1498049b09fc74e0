package org.relaxvm.backendcpu.vector.depthwise;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.conv.ConvolutionKernel;
import org.relaxvm.backendcpu.vector.conv.Pool;

/**
 * {@code relaxvm.conv2d} where each output channel reads one input channel: there is so little to
 * compute for each element that what happens once for each row would count. Leaves other
 * convolutions to another kernel. Keeps scratch memory; thread-safe.
 */
public final class DepthwiseKernel implements CpuKernel {
  /** Outputs of a channel that are not worth a copy of its own for each of their weights. */
  private static final int MOST_OUTPUTS = 8;

  /** Elements of a band that arrays hold with ease. */
  private static final double MOST_ELEMENTS = 1 << 26;

  private final ConvolutionKernel others;
  private final Pool<DepthwiseScratch> pool = new Pool<>(DepthwiseScratch::new);

  /** A kernel that leaves convolutions of several channels to another one. */
  public DepthwiseKernel(ConvolutionKernel others) {
    this.others = others;
  }

  @Override
  public void run(KernelCall call) {
    run(Convolution.of(call));
  }

  /** Computes a convolution. */
  public void run(Convolution convolution) {
    if (isDepthwise(convolution)) {
      new DepthwiseConvolution(convolution, pool).run();
    } else {
      others.run(convolution);
    }
  }

  private static boolean isDepthwise(Convolution convolution) {
    return convolution.dtype().isFloat()
        && !convolution.dtype().equals(DType.FLOAT64)
        && convolution.inputsPerGroup() == 1
        && convolution.outputsPerGroup() <= MOST_OUTPUTS
        && convolution.depth() > 1
        && convolution.residual() == null
        && convolution.pixels() > 0
        && convolution.out().dim(0) > 0
        && convolution.out().dim(1) > 0
        && fitsArrays(convolution);
  }

  /** Whether a band of a few rows can be in an array. */
  private static boolean fitsArrays(Convolution convolution) {
    double width =
        Math.max(
            convolution.data().dim(3),
            convolution.out().dim(3) + reach(convolution.windows().horizontal()));
    double height = 8 + reach(convolution.windows().vertical());
    double phases =
        (double) phases(convolution.windows().vertical())
            * phases(convolution.windows().horizontal());
    return phases * width * height < MOST_ELEMENTS
        && convolution.out().dim(2) < 1 << 28
        && convolution.depth() < 1 << 20;
  }

  private static long phases(Window window) {
    return Math.min(window.size(), window.stride());
  }

  private static double reach(Window window) {
    return (window.size() - 1) * (double) window.dilation() / Math.max(1, window.stride());
  }
}
