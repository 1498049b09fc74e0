package org.relaxvm.backendcpu.vector.conv;

import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.constant.KeptConstants;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;

/**
 * Transformed weights in panels of output channels: for each panel, for each of 16 points, for each
 * input channel, the numbers of the channels of the panel; those that are missing are 0. Kept: to
 * make them takes longer than a convolution.
 */
final class WinogradPanels {
  private record Key(long offset, List<Long> dims, List<Long> strides, DType dtype, int width) {}

  private WinogradPanels() {}

  /** All panels; null where they cannot be kept. */
  static float @Nullable [] of(Codec<float[]> codec, Convolution convolution, int width) {
    Operand weight = convolution.weight();
    long panels = Math.ceilDiv(convolution.outputsPerGroup(), (long) width);
    long length = panels * width * convolution.inputsPerGroup() * WinogradTransform.POINTS;
    if (length > Integer.MAX_VALUE / 2) {
      return null;
    }
    Key key =
        new Key(
            weight.offset(),
            LongStream.of(weight.dims()).boxed().toList(),
            LongStream.of(weight.strides()).boxed().toList(),
            convolution.dtype(),
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
    int inputs = Math.toIntExact(convolution.inputsPerGroup());
    int outputs = Math.toIntExact(convolution.outputsPerGroup());
    float[] panels = new float[length];
    float[] row = new float[WeightRows.step(convolution)];
    float[] points = new float[WinogradTransform.POINTS];
    for (int o = 0; o < outputs; o++) {
      WeightRows.load(codec, convolution, o, 1, row);
      int to = o / width * WinogradTransform.POINTS * inputs * width + o % width;
      for (int c = 0; c < inputs; c++) {
        WinogradTransform.window(row, 9 * c, points);
        for (int i = 0; i < WinogradTransform.POINTS; i++) {
          panels[to + (i * inputs + c) * width] = points[i];
        }
      }
    }
    return panels;
  }
}
