package org.relaxvm.backendcpu.vector.gemm;

import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * The right matrix of a convolution: row {@code (c, ky, kx)} holds what this element of the window
 * meets at each output pixel, 0 in the padding. Where a panel's pixels lie in the image is worked
 * out once for each element of the window and serves all channels.
 *
 * <p>Used by one thread.
 *
 * @param <A> the array type
 */
final class ImagePacker<A> implements PanelPacker<A> {
  private final Tile<A> tile;
  private final Codec<A> codec;
  private final MemorySegment memory;
  private final Operand data;
  private final Window vertical;
  private final Window horizontal;
  private final long plane;
  private final long outColumns;
  private final boolean neighbours;
  private final long step;

  // The runs of pixels of a panel that lie in the image: place in the panel, length, place in a
  // channel in bytes.
  private final int[] runStart;
  private final int[] runLength;
  private final long[] runAt;
  private int runs;
  private boolean whole;

  /**
   * A packer.
   *
   * @param batch number of the image times groups, plus the number of the group
   */
  ImagePacker(Tile<A> tile, Codec<A> codec, Convolution convolution, long batch) {
    this.tile = tile;
    this.codec = codec;
    data = convolution.data();
    memory = data.memory();
    vertical = convolution.windows().vertical();
    horizontal = convolution.windows().horizontal();
    long image = batch / convolution.groups();
    long channel = batch % convolution.groups() * convolution.inputsPerGroup();
    plane = data.offset() + image * data.stride(0) + channel * data.stride(1);
    outColumns = convolution.out().dim(3);
    step = horizontal.stride() * data.stride(3);
    neighbours = step == codec.bytes() && codec.bytes() == tile.codec().bytes();
    runStart = new int[tile.columns()];
    runLength = new int[tile.columns()];
    runAt = new long[tile.columns()];
  }

  @Override
  public void pack(long row, int depth, long column, int columns, A panel, int panelAt) {
    int width = tile.columns();
    long taps = vertical.size() * horizontal.size();
    long firstY = column / outColumns;
    long firstX = column % outColumns;
    for (long tap = 0; tap < taps; tap++) {
      long channel = Math.max(0, Math.ceilDiv(row - tap, taps));
      long target = channel * taps + tap - row;
      if (target >= depth) {
        continue;
      }
      findRuns(tap / horizontal.size(), tap % horizontal.size(), firstY, firstX, columns);
      long from = plane + channel * data.stride(1);
      for (; target < depth; target += taps) {
        int at = panelAt + (int) target * width;
        if (!whole) {
          codec.lanes().fill(panel, at, at + width, 0);
        }
        copy(from, panel, at);
        from += data.stride(1);
      }
    }
  }

  private void copy(long from, A panel, int at) {
    for (int i = 0; i < runs; i++) {
      int start = at + runStart[i];
      if (neighbours) {
        tile.copyRun(memory, from + runAt[i], runLength[i], panel, start);
      } else {
        codec.load(memory, from + runAt[i], step, panel, start, start + runLength[i]);
      }
    }
  }

  private void findRuns(long ky, long kx, long firstY, long firstX, int columns) {
    long firstInside = horizontal.firstInside(kx);
    long endInside = horizontal.endInside(kx, outColumns);
    long x = firstX;
    long y = firstY;
    int covered = 0;
    runs = 0;
    for (int done = 0; done < columns; y++) {
      int length = (int) Math.min(columns - done, outColumns - x);
      long from = Math.max(x, firstInside);
      long to = Math.min(x + length, endInside);
      if (from < to && vertical.covers(y, ky)) {
        runStart[runs] = done + (int) (from - x);
        runLength[runs] = (int) (to - from);
        runAt[runs] =
            vertical.place(y, ky) * data.stride(2) + horizontal.place(from, kx) * data.stride(3);
        covered += runLength[runs++];
      }
      done += length;
      x = 0;
    }
    whole = covered == tile.columns();
  }
}
