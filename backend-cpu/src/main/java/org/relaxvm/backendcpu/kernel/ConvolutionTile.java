package org.relaxvm.backendcpu.kernel;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/**
 * Convolution as a matrix product: for a few hundred output pixels, row {@code (c, ky, kx)} of the
 * right matrix holds the image element that this element of the window meets at each pixel, and
 * each output channel is a row of weights times that matrix. Used by one thread.
 */
final class ConvolutionTile<A> {
  /** Output pixels of a tile. */
  static final int PIXELS = 256;

  private static final int BLOCK = 128;

  private final Codec<A> codec;
  private final Lanes<A> lanes;
  private final Convolution convolution;
  private final Epilogue<A> epilogue;
  private final A[] panel;
  private final A[] sums;
  private final A factors;
  private final A scratch;

  ConvolutionTile(Codec<A> codec, Convolution convolution, Epilogue<A> epilogue) {
    this.codec = codec;
    this.lanes = codec.lanes();
    this.convolution = convolution;
    this.epilogue = epilogue;
    int pixels = (int) Math.min(PIXELS, convolution.pixels());
    int block = (int) Math.min(BLOCK, convolution.depth());
    this.panel = lanes.arrays(block, pixels);
    this.sums = lanes.arrays(Math.toIntExact(convolution.outputsPerGroup()), pixels);
    this.factors = lanes.array(block);
    this.scratch = lanes.array(pixels);
  }

  void compute(long image, long group, long firstPixel) {
    int pixels = (int) Math.min(PIXELS, convolution.pixels() - firstPixel);
    long firstOutput = group * sums.length;
    for (A row : sums) {
      lanes.fill(row, 0, pixels, 0);
    }
    for (long start = 0; start < convolution.depth(); start += BLOCK) {
      int count = (int) Math.min(BLOCK, convolution.depth() - start);
      for (int p = 0; p < count; p++) {
        loadImage(panel[p], image, group, start + p, firstPixel, pixels);
      }
      for (int i = 0; i < sums.length; i++) {
        loadWeights(firstOutput + i, start, count);
        lanes.multiplyAdd(sums[i], factors, count, panel, pixels);
      }
    }
    Operand bias = epilogue.bias();
    for (int i = 0; i < sums.length; i++) {
      long channel = firstOutput + i;
      long biasAt = bias == null ? 0 : bias.offset() + channel * bias.stride(0);
      addResidual(sums[i], image, channel, firstPixel, pixels);
      epilogue.finish(sums[i], pixels, biasAt, 0, scratch);
      store(sums[i], image, channel, firstPixel, pixels);
    }
  }

  /** The image elements that one element of the window meets, 0 in the padding. */
  private void loadImage(A row, long image, long group, long element, long firstPixel, int pixels) {
    Operand data = convolution.data();
    Window vertical = convolution.windows().vertical();
    Window horizontal = convolution.windows().horizontal();
    long kx = element % horizontal.size();
    long ky = element / horizontal.size() % vertical.size();
    long channel =
        group * convolution.inputsPerGroup() + element / horizontal.size() / vertical.size();
    long plane = data.offset() + image * data.stride(0) + channel * data.stride(1);
    long step = horizontal.stride() * data.stride(3);
    long columns = convolution.out().dim(3);
    long firstInside = horizontal.firstInside(kx);
    long endInside = horizontal.endInside(kx, columns);
    lanes.fill(row, 0, pixels, 0);
    for (int done = 0; done < pixels; ) {
      long y = (firstPixel + done) / columns;
      long x = (firstPixel + done) % columns;
      int run = (int) Math.min(pixels - done, columns - x);
      long from = Math.max(x, firstInside);
      long to = Math.min(x + run, endInside);
      if (from < to && vertical.covers(y, ky)) {
        long at =
            plane
                + vertical.place(y, ky) * data.stride(2)
                + horizontal.place(from, kx) * data.stride(3);
        int target = done + (int) (from - x);
        codec.load(data.memory(), at, step, row, target, target + (int) (to - from));
      }
      done += run;
    }
  }

  private void loadWeights(long output, long start, int count) {
    Operand weight = convolution.weight();
    long row = weight.offset() + output * weight.stride(0);
    if (convolution.weightRowsAreEven()) {
      long step = weight.stride(3);
      codec.load(weight.memory(), row + start * step, step, factors, 0, count);
      return;
    }
    long width = weight.dim(3);
    long height = weight.dim(2);
    for (int done = 0; done < count; ) {
      long element = start + done;
      long kx = element % width;
      int run = (int) Math.min(count - done, width - kx);
      long at =
          row
              + element / width / height * weight.stride(1)
              + element / width % height * weight.stride(2)
              + kx * weight.stride(3);
      codec.load(weight.memory(), at, weight.stride(3), factors, done, done + run);
      done += run;
    }
  }

  private void addResidual(A row, long image, long channel, long firstPixel, int pixels) {
    Operand residual = epilogue.residual();
    if (residual == null) {
      return;
    }
    for (int done = 0; done < pixels; ) {
      int run = run(firstPixel + done, pixels - done);
      long at = place(residual, image, channel, firstPixel + done);
      epilogue.addResidual(row, done, done + run, at, residual.stride(3), scratch);
      done += run;
    }
  }

  /** How many of so many pixels are in the row of the first one. */
  private int run(long pixel, int pixels) {
    long columns = convolution.out().dim(3);
    return (int) Math.min(pixels, columns - pixel % columns);
  }

  private static long place(Operand planes, long image, long channel, long pixel) {
    long columns = planes.dim(3);
    return planes.offset()
        + image * planes.stride(0)
        + channel * planes.stride(1)
        + pixel / columns * planes.stride(2)
        + pixel % columns * planes.stride(3);
  }

  private void store(A row, long image, long channel, long firstPixel, int pixels) {
    Operand out = convolution.out();
    for (int done = 0; done < pixels; ) {
      int run = run(firstPixel + done, pixels - done);
      long at = place(out, image, channel, firstPixel + done);
      codec.store(row, done, done + run, out.memory(), at, out.stride(3));
      done += run;
    }
  }
}
