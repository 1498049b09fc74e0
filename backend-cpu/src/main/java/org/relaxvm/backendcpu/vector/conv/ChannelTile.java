package org.relaxvm.backendcpu.vector.conv;

/**
 * The innermost piece of a convolution whose vectors run along output channels: sums for a panel of
 * them, two vectors wide, at a few neighbouring positions. It wastes nothing where rows of
 * positions are short. Immutable and thread-safe.
 */
abstract class ChannelTile {
  private final int positions;
  private final int run;
  private final int width;

  ChannelTile(int positions, int run, int width) {
    this.positions = positions;
    this.run = run;
    this.width = width;
  }

  /** Positions that are computed at once at most. */
  final int positions() {
    return positions;
  }

  /** Positions of each of two runs that are computed at once; 0 where registers are too few. */
  final int run() {
    return run;
  }

  /** Channels of a panel. */
  final int width() {
    return width;
  }

  /**
   * Computes sums: {@code c[cAt + i * width() + j] = start[j] + sum over p of w[wAt + p * width() +
   * j] * b[bAt + offsets[p] + i]}.
   *
   * @param positions how many matter, at least 1; all {@link #positions} may be read and written
   */
  abstract void multiply(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      int positions,
      float[] start,
      float[] c,
      int cAt);

  /**
   * Computes sums of two runs of {@link #run} positions: of the second one {@code i} is counted
   * from {@code bAt + bNext}, and its sums are at {@code cNext}.
   */
  abstract void multiplyRuns(
      float[] w,
      int wAt,
      float[] b,
      int bAt,
      int bNext,
      int[] offsets,
      int depth,
      float[] start,
      float[] c,
      int cAt,
      int cNext);
}
