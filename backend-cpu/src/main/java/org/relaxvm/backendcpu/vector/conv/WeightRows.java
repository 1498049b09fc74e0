package org.relaxvm.backendcpu.vector.conv;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;

/** The weights of a convolution as a matrix with a row for each output channel. */
final class WeightRows {
  private static final int LINE = 16;

  private WeightRows() {}

  /** The distance of rows in an array: an odd number of lines, so that caches hold many rows. */
  static int step(Convolution convolution) {
    int depth = Math.toIntExact(convolution.depth());
    return depth == 1 ? 1 : (Math.ceilDiv(depth, LINE) | 1) * LINE;
  }

  /** Reads the weights of some output channels. */
  static void load(
      Codec<float[]> codec, Convolution convolution, long first, int count, float[] into) {
    Operand weight = convolution.weight();
    int depth = Math.toIntExact(convolution.depth());
    int step = step(convolution);
    for (int i = 0; i < count; i++) {
      long at = weight.offset() + (first + i) * weight.stride(0);
      int to = i * step;
      if (convolution.weightRowsAreEven()) {
        codec.load(weight.memory(), at, weight.stride(3), into, to, to + depth);
      } else {
        loadUneven(codec, weight, at, into, to);
      }
    }
  }

  private static void loadUneven(
      Codec<float[]> codec, Operand weight, long at, float[] into, int start) {
    int to = start;
    int width = (int) weight.dim(3);
    for (long c = 0; c < weight.dim(1); c++) {
      for (long ky = 0; ky < weight.dim(2); ky++) {
        long from = at + c * weight.stride(1) + ky * weight.stride(2);
        codec.load(weight.memory(), from, weight.stride(3), into, to, to + width);
        to += width;
      }
    }
  }
}
