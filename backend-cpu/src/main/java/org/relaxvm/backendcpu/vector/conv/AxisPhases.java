package org.relaxvm.backendcpu.vector.conv;

import java.util.Arrays;
import org.relaxvm.backendcpu.kernel.Window;

/**
 * One axis of an image, cut by a stride: phase {@code r} holds each place {@code r, r + stride, r +
 * 2 * stride, ...} of the padded axis. What an element of the window meets at neighbouring
 * positions is then neighbouring in one phase. Phases that no element meets are left out.
 *
 * @param window how the window slides
 * @param remainders of the phases, ascending
 * @param phase of each element of the window, an index of the remainders
 * @param shift of each element of the window: where it is in its phase at position 0
 * @param reach the largest shift
 */
public record AxisPhases(Window window, int[] remainders, int[] phase, int[] shift, int reach) {
  /** The phases of an axis. */
  public static AxisPhases of(Window window) {
    int size = Math.toIntExact(window.size());
    int[] remainder = new int[size];
    int[] shift = new int[size];
    for (int i = 0; i < size; i++) {
      long place = i * window.dilation();
      remainder[i] = Math.toIntExact(place % window.stride());
      shift[i] = Math.toIntExact(place / window.stride());
    }
    int[] remainders = Arrays.stream(remainder).sorted().distinct().toArray();
    int[] phase = new int[size];
    Arrays.setAll(phase, i -> Arrays.binarySearch(remainders, remainder[i]));
    return new AxisPhases(window, remainders, phase, shift, shift[size - 1]);
  }

  /** How many phases there are. */
  public int count() {
    return remainders.length;
  }

  /** Where a place of a phase is in the image; may be outside. */
  public long place(int phaseIndex, long index) {
    return index * window.stride() + remainders[phaseIndex] - window.before();
  }

  /** The first place of a phase that lies in the image or after it. */
  public long firstInside(int phaseIndex) {
    return Math.max(0, Math.ceilDiv(-place(phaseIndex, 0), window.stride()));
  }

  /** One past the last place of a phase that lies in the image or before it. */
  public long endInside(int phaseIndex) {
    return Math.floorDiv(window.input() - 1 - place(phaseIndex, 0), window.stride()) + 1;
  }
}
