package org.relaxvm.backendcpu.kernel;

import java.util.function.Consumer;

/** {@code relaxvm.conv2d_transpose}, by whatever computes convolutions. */
public final class Conv2dTransposeKernel implements CpuKernel {
  private final Consumer<Convolution> convolutions;

  private Conv2dTransposeKernel(Consumer<Convolution> convolutions) {
    this.convolutions = convolutions;
  }

  /** A kernel that leaves the arithmetic to another one. */
  public static Conv2dTransposeKernel of(Consumer<Convolution> convolutions) {
    return new Conv2dTransposeKernel(convolutions);
  }

  @Override
  public void run(KernelCall call) {
    new TransposedConvolution(call).parts().forEach(convolutions);
  }
}
