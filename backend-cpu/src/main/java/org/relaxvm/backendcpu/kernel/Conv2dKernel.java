package org.relaxvm.backendcpu.kernel;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;

/** Cuts a convolution into tiles: so many pixels of one group of one image. */
public final class Conv2dKernel {
  private Conv2dKernel() {}

  /** {@code relaxvm.conv2d}. */
  public static void run(KernelCall call) {
    run(Convolution.of(call));
  }

  /** {@code relaxvm.conv2d_residual}. */
  public static void runResidual(KernelCall call) {
    run(Convolution.ofResidual(call));
  }

  /** Computes a convolution in portable Java. */
  public static void run(Convolution convolution) {
    run(convolution, Codecs.of(convolution.dtype(), convolution.floats()));
  }

  private static <A> void run(Convolution convolution, Codec<A> codec) {
    Epilogue<A> epilogue =
        Epilogue.of(codec, convolution.bias(), convolution.residual(), convolution.activation());
    long pixels = convolution.pixels();
    long groups = convolution.groups();
    long tiles = Math.ceilDiv(pixels, (long) ConvolutionTile.PIXELS);
    long perPixel = convolution.depth() * convolution.outputsPerGroup();
    Parallel.run(
        convolution.workers(),
        convolution.out().dim(1) == 0 ? 0 : convolution.out().dim(0) * groups * tiles,
        Math.max(1, perPixel) * Math.min(pixels, ConvolutionTile.PIXELS),
        (from, to) -> {
          ConvolutionTile<A> tile = new ConvolutionTile<>(codec, convolution, epilogue);
          for (long unit = from; unit < to; unit++) {
            long image = unit / tiles / groups;
            long group = unit / tiles % groups;
            tile.compute(image, group, unit % tiles * ConvolutionTile.PIXELS);
          }
        });
  }
}
