package org.relaxvm.backendcpu.kernel.attention;

/**
 * Arrays of one thread for attention in panels. What is in them when they are taken is undefined.
 */
final class PanelScratch {
  /**
   * How large arrays are.
   *
   * @param panels of queries
   * @param lanes queries of a panel
   * @param depth elements of a key
   * @param sumsRow elements of a value, with those that fill the last strip
   * @param block keys
   * @param strip queries that are transposed at once
   * @param keyStep elements of a key at once
   */
  record Size(int panels, int lanes, int depth, int sumsRow, int block, int strip, int keyStep) {
    long elements() {
      long panel = (long) lanes * (depth + sumsRow + 3L);
      long scores = pieces() > 1 ? 2L * lanes : lanes;
      return panels * panel
          + block * (pieces() * (long) keyStep + sumsRow + scores + 1L)
          + lanes
          + (long) strip * depth;
    }

    /** Into how many pieces keys are cut, of almost the same length. */
    int pieces() {
      return Math.ceilDiv(depth, keyStep);
    }
  }

  final Size size;
  final float[][] queries;
  final float[][] sums;
  // Of each query: what its scores have lost, and what that is where there was no score so far.
  final float[][] shifts;
  final float[][] usedShifts;
  final float[][] divisors;
  final float[] keys;
  final float[] values;
  final float[] scores;
  // Those of a piece of the keys behind the first one.
  final float[] more;
  final float[] largest;
  final float[] row;
  final float[] lines;

  PanelScratch(Size size) {
    this.size = size;
    this.queries = new float[size.panels()][Math.multiplyExact(size.depth(), size.lanes())];
    this.sums = new float[size.panels()][Math.multiplyExact(size.lanes(), size.sumsRow())];
    this.shifts = new float[size.panels()][size.lanes()];
    this.usedShifts = new float[size.panels()][size.lanes()];
    this.divisors = new float[size.panels()][size.lanes()];
    this.keys =
        new float
            [Math.multiplyExact(size.block(), Math.multiplyExact(size.pieces(), size.keyStep()))];
    this.values = new float[Math.multiplyExact(size.block(), size.sumsRow())];
    this.scores = new float[size.block() * size.lanes()];
    this.more = size.pieces() > 1 ? new float[size.block() * size.lanes()] : new float[0];
    this.largest = new float[size.lanes()];
    this.row = new float[size.block()];
    this.lines = new float[Math.multiplyExact(size.strip(), size.depth())];
  }
}
