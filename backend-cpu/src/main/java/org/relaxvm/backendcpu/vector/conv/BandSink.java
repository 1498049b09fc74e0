package org.relaxvm.backendcpu.vector.conv;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.Epilogue;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Brings sums of a band to the output: residual, bias, activation, and no places without meaning.
 */
final class BandSink {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private final Codec<float[]> codec;
  private final Operand out;
  private final Epilogue<float[]> epilogue;
  private final boolean simple;
  private final float floor;

  /**
   * A sink.
   *
   * @param bias what is still to be added; null for nothing
   */
  BandSink(Codec<float[]> codec, Convolution convolution, @Nullable Operand bias) {
    this.codec = codec;
    out = convolution.out();
    Activation activation = convolution.activation();
    epilogue = Epilogue.of(codec, bias, convolution.residual(), activation);
    simple =
        codec.bytes() == Float.BYTES
            && out.stride(3) == Float.BYTES
            && convolution.residual() == null
            && (activation == Activation.NONE || activation == Activation.RELU);
    floor = activation == Activation.RELU ? 0 : Float.NEGATIVE_INFINITY;
  }

  /**
   * Stores rows of a channel.
   *
   * @param sums at {@code from}, with so many places from row to row
   */
  void store(
      float[] sums,
      int from,
      int width,
      long image,
      long channel,
      long firstRow,
      int rows,
      WindowScratch scratch) {
    int columns = (int) out.dim(3);
    Operand bias = epilogue.bias();
    long biasAt = bias == null ? 0 : bias.offset() + channel * bias.stride(0);
    long at =
        out.offset() + image * out.stride(0) + channel * out.stride(1) + firstRow * out.stride(2);
    if (simple) {
      float[] extra = scratch.extra();
      float shift = 0;
      if (bias != null) {
        codec.load(bias.memory(), biasAt, Float.BYTES, extra, 0, 1);
        shift = extra[0];
      }
      if (width == columns && out.stride(2) == columns * (long) Float.BYTES) {
        storeRow(sums, from, rows * columns, out.memory(), at, shift, floor);
        return;
      }
      for (int y = 0; y < rows; y++) {
        storeRow(sums, from + y * width, columns, out.memory(), at, shift, floor);
        at += out.stride(2);
      }
      return;
    }
    int count = (rows - 1) * width + columns;
    float[] line = scratch.line(count);
    System.arraycopy(sums, from, line, 0, count);
    Operand residual = epilogue.residual();
    if (residual != null) {
      for (int y = 0; y < rows; y++) {
        long place =
            residual.offset()
                + image * residual.stride(0)
                + channel * residual.stride(1)
                + (firstRow + y) * residual.stride(2);
        int start = y * width;
        epilogue.addResidual(
            line, start, start + columns, place, residual.stride(3), scratch.extra());
      }
    }
    epilogue.finish(line, count, biasAt, 0, scratch.extra());
    for (int y = 0; y < rows; y++) {
      int start = y * width;
      codec.store(line, start, start + columns, out.memory(), at, out.stride(3));
      at += out.stride(2);
    }
  }

  private static void storeRow(
      float[] sums, int from, int columns, MemorySegment out, long at, float bias, float floor) {
    FloatVector shift = FloatVector.broadcast(SPECIES, bias);
    FloatVector least = FloatVector.broadcast(SPECIES, floor);
    int i = 0;
    for (; i <= columns - LANES; i += LANES) {
      FloatVector.fromArray(SPECIES, sums, from + i)
          .add(shift)
          .max(least)
          .intoMemorySegment(out, at + i * (long) Float.BYTES, ORDER);
    }
    if (i < columns) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, columns);
      FloatVector.fromArray(SPECIES, sums, from + i, mask)
          .add(shift)
          .max(least)
          .intoMemorySegment(out, at + i * (long) Float.BYTES, ORDER, mask);
    }
  }
}
