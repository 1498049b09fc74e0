package org.relaxvm.backendcpu.vector.conv;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Brings bands of images into arrays, with zeros around. Rows of neighbouring float32 elements are
 * copied in vectors, padding included, for strides of 1 and 2. Immutable and thread-safe.
 */
final class BandPacker {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorShuffle<Float> EVEN = VectorShuffle.makeUnzip(SPECIES, 0);
  private static final VectorShuffle<Float> ODD = VectorShuffle.makeUnzip(SPECIES, 1);

  private final Codec<float[]> codec;
  private final Operand data;
  private final BandLayout layout;
  private final int stride;
  private final boolean neighbours;
  // Columns of a padded row of the image that lie in the image.
  private final int from;
  private final int end;

  /**
   * A packer.
   *
   * @param codec of the elements in memory
   * @param data {@code [n, c, h, w]}
   */
  BandPacker(Codec<float[]> codec, Operand data, BandLayout layout) {
    this.codec = codec;
    this.data = data;
    this.layout = layout;
    long width = layout.horizontal().window().input();
    long before = layout.horizontal().window().before();
    stride = (int) Math.min(3, layout.horizontal().window().stride());
    neighbours =
        codec.bytes() == Float.BYTES
            && data.stride(3) == Float.BYTES
            && stride < 3
            && before + width < Integer.MAX_VALUE / 2;
    from = (int) before;
    end = (int) (before + width);
  }

  /** Packs channels of a band that starts at a row of positions. */
  void pack(long image, long firstChannel, int channels, long firstRow, float[] into) {
    AxisPhases vertical = layout.vertical();
    int planes = layout.horizontal().count() * layout.plane();
    long at = data.offset() + image * data.stride(0) + firstChannel * data.stride(1);
    int to = 0;
    for (int c = 0; c < channels; c++) {
      for (int v = 0; v < vertical.count(); v++) {
        for (int row = 0; row < layout.height(); row++) {
          packRow(at, vertical.place(v, firstRow + row), into, to + row * layout.width());
        }
        to += planes;
      }
      at += data.stride(1);
    }
  }

  /** Packs a row of the image into all phases of columns. */
  private void packRow(long plane, long y, float[] into, int to) {
    AxisPhases horizontal = layout.horizontal();
    int width = layout.width();
    if (y < 0 || y >= layout.vertical().window().input()) {
      for (int h = 0; h < horizontal.count(); h++) {
        Arrays.fill(into, to + h * layout.plane(), to + h * layout.plane() + width, 0);
      }
      return;
    }
    long row = plane + y * data.stride(2);
    // Where the padded row would start, and vectors of all of it be read.
    long start = row - from * (long) Float.BYTES;
    long bytes = (stride * (long) width + 2 * LANES) * Float.BYTES;
    if (neighbours && start >= 0 && start + bytes <= data.memory().byteSize()) {
      if (stride == 1) {
        copy(data.memory(), start, from, end, into, to, width);
      } else {
        int odd = horizontal.count() == 2 ? to + layout.plane() : -1;
        copyTwo(data.memory(), start, from, end, into, to, odd, width);
      }
    } else {
      for (int h = 0; h < horizontal.count(); h++) {
        packPhase(row, h, into, to + h * layout.plane());
      }
    }
  }

  private void packPhase(long row, int h, float[] into, int to) {
    int width = layout.width();
    int first = (int) Math.min(width, layout.horizontal().firstInside(h));
    int last = (int) Math.max(first, Math.min(width, layout.horizontal().endInside(h)));
    Arrays.fill(into, to, to + first, 0);
    if (first < last) {
      long at = row + layout.horizontal().place(h, first) * data.stride(3);
      long step = layout.horizontal().window().stride() * data.stride(3);
      codec.load(data.memory(), at, step, into, to + first, to + last);
    }
    Arrays.fill(into, to + last, to + width, 0);
  }

  private static void copy(
      MemorySegment memory, long start, int from, int end, float[] into, int to, int width) {
    if (width < LANES) {
      load(memory, start, 0, from, end).intoArray(into, to, SPECIES.indexInRange(0, width));
      return;
    }
    int last = width - LANES;
    for (int i = 0; i < last; i += LANES) {
      load(memory, start, i, from, end).intoArray(into, to + i);
    }
    // May overlap the one before.
    load(memory, start, last, from, end).intoArray(into, to + last);
  }

  /** Even columns go to one place, odd ones to another; to none where it is negative. */
  private static void copyTwo(
      MemorySegment memory,
      long start,
      int from,
      int end,
      float[] into,
      int even,
      int odd,
      int width) {
    int last = Math.max(0, width - LANES);
    VectorMask<Float> mask = SPECIES.indexInRange(0, width);
    for (int i = 0; ; i = Math.min(i + LANES, last)) {
      FloatVector low = load(memory, start, 2 * i, from, end);
      FloatVector high = load(memory, start, 2 * i + LANES, from, end);
      low.rearrange(EVEN, high).intoArray(into, even + i, mask);
      if (odd >= 0) {
        low.rearrange(ODD, high).intoArray(into, odd + i, mask);
      }
      if (i == last) {
        return;
      }
    }
  }

  /** A vector of a padded row: what lies outside of the image is 0. */
  private static FloatVector load(MemorySegment memory, long start, int at, int from, int end) {
    long place = start + at * (long) Float.BYTES;
    if (at >= from && at + LANES <= end) {
      return FloatVector.fromMemorySegment(SPECIES, memory, place, ORDER);
    }
    VectorMask<Float> mask = SPECIES.indexInRange(at, end).andNot(SPECIES.indexInRange(at, from));
    return FloatVector.fromMemorySegment(SPECIES, memory, place, ORDER, mask);
  }
}
