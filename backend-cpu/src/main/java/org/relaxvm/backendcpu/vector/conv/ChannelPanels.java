package org.relaxvm.backendcpu.vector.conv;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.constant.KeptConstants;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;

/**
 * Weights in panels of output channels: for each group, for each panel of it, for each element that
 * is multiplied, the weights of the channels of the panel; those that are missing are 0. Kept,
 * since making them takes about as long as a convolution of few positions.
 */
final class ChannelPanels {
  private record Key(
      long offset, List<Long> dims, List<Long> strides, DType dtype, long groups, int width) {}

  private ChannelPanels() {}

  /** The panels of a group. */
  static long perGroup(Convolution convolution, int width) {
    return Math.ceilDiv(convolution.outputsPerGroup(), (long) width);
  }

  /** All panels; null where they cannot be kept. */
  static float @Nullable [] of(Codec<float[]> codec, Convolution convolution, int width) {
    Operand weight = convolution.weight();
    long length = convolution.groups() * perGroup(convolution, width) * width * convolution.depth();
    if (length > Integer.MAX_VALUE / 2) {
      return null;
    }
    Key key =
        new Key(
            weight.offset(),
            LongStream.of(weight.dims()).boxed().toList(),
            LongStream.of(weight.strides()).boxed().toList(),
            convolution.dtype(),
            convolution.groups(),
            width);
    return KeptConstants.get()
        .derive(
            convolution.weights(),
            key,
            length * Float.BYTES,
            ignored -> make(codec, convolution, width, (int) length));
  }

  private static float[] make(
      Codec<float[]> codec, Convolution convolution, int width, int length) {
    int depth = Math.toIntExact(convolution.depth());
    float[] panels = new float[length];
    float[] row = new float[WeightRows.step(convolution)];
    long outputs = convolution.outputsPerGroup();
    int panelLength = width * depth;
    for (long o = 0; o < convolution.out().dim(1); o++) {
      long panel = o / outputs * perGroup(convolution, width) + o % outputs / width;
      int to = (int) (panel * panelLength + o % outputs % width);
      Arrays.fill(row, 0);
      WeightRows.load(codec, convolution, o, 1, row);
      for (int p = 0; p < depth; p++) {
        panels[to + p * width] = row[p];
      }
    }
    return panels;
  }
}
