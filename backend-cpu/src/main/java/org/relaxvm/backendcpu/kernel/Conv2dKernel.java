package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;

/** Checks a convolution and cuts it into tiles: so many pixels of one group of one image. */
public final class Conv2dKernel {
  private Conv2dKernel() {}

  /** {@code relaxvm.conv2d}. */
  public static void run(KernelCall call) {
    run(call, call.codec(call.output()));
  }

  private static <A> void run(KernelCall call, Codec<A> codec) {
    call.requireRank(0, 4);
    call.requireRank(1, 4);
    Shape data = call.tensor(0).shape();
    Shape weight = call.tensor(1).shape();
    long groups = groups(call, data, weight);
    if (weight.dim(2) < 1 || weight.dim(3) < 1) {
      throw call.wrongShape(1, "a shape whose last two extents are at least 1");
    }
    Tensor biasTensor = call.optionalTensor(2);
    Operand bias = null;
    if (biasTensor != null) {
      call.requireShape(2, Shape.of(weight.dim(0)));
      bias = Operand.of(biasTensor);
    }
    Window.Pair windows = Window.pair(call, 0, new long[] {weight.dim(2), weight.dim(3)}, 3);
    long rows = windows.vertical().positions(false);
    long columns = windows.horizontal().positions(false);
    call.requireShape(8, Shape.of(data.dim(0), weight.dim(0), rows, columns));
    Epilogue<A> epilogue = Epilogue.of(codec, bias, call.activation(7));
    ConvolutionTile.Geometry geometry =
        new ConvolutionTile.Geometry(
            Operand.of(call.tensor(0)),
            Operand.of(call.tensor(1)),
            Operand.of(call.output()),
            windows,
            groups);
    long pixels = rows * columns;
    long tiles = (pixels + ConvolutionTile.PIXELS - 1) / ConvolutionTile.PIXELS;
    long perPixel = weight.dim(1) * weight.dim(2) * weight.dim(3) * (weight.dim(0) / groups);
    Parallel.run(
        call.workers(),
        weight.dim(0) == 0 ? 0 : data.dim(0) * groups * tiles,
        Math.max(1, perPixel) * Math.min(pixels, ConvolutionTile.PIXELS),
        (from, to) -> {
          ConvolutionTile<A> tile = new ConvolutionTile<>(codec, geometry, epilogue);
          for (long unit = from; unit < to; unit++) {
            long image = unit / tiles / groups;
            long group = unit / tiles % groups;
            tile.compute(image, group, unit % tiles * ConvolutionTile.PIXELS);
          }
        });
  }

  private static long groups(KernelCall call, Shape data, Shape weight) {
    long groups = call.args().longAt(6);
    if (groups < 1 || data.dim(1) % groups != 0 || weight.dim(0) % groups != 0) {
      throw call.wrong(
          6,
          "a positive divisor of "
              + data.dim(1)
              + " input and "
              + weight.dim(0)
              + " output channels",
          Long.toString(groups));
    }
    @Nullable String wrong =
        weight.dim(1) == data.dim(1) / groups ? null : "a shape [o, " + data.dim(1) / groups;
    if (wrong != null) {
      throw call.wrongShape(
          1, wrong + ", kh, kw] for " + data.dim(1) + " input channels in " + groups + " groups");
    }
    return groups;
  }
}
