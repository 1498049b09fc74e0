package org.relaxvm.backendcpu.vector.depthwise;

import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;

/** The weights of some output channels as a matrix with a row for each, without gaps. */
final class DepthwiseWeights {
  private DepthwiseWeights() {}

  static void load(
      Codec<float[]> codec, Convolution convolution, long first, int count, float[] into) {
    Operand weight = convolution.weight();
    int depth = (int) convolution.depth();
    int width = (int) weight.dim(3);
    long step = weight.stride(3);
    long start = weight.offset() + first * weight.stride(0);
    boolean even = weight.stride(2) == width * step;
    if (even && weight.stride(0) == depth * step) {
      codec.load(weight.memory(), start, step, into, 0, count * depth);
      return;
    }
    int to = 0;
    for (int i = 0; i < count; i++) {
      long at = start + i * weight.stride(0);
      for (long ky = 0; ky < weight.dim(2); ky++) {
        codec.load(weight.memory(), at + ky * weight.stride(2), step, into, to, to + width);
        to += width;
      }
    }
  }
}
