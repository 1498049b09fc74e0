package org.relaxvm.backendcpu.micro;

/**
 * Rows cut into strips of nearly the same height: some of {@code height} rows, then some of one row
 * less. Equal strips have more products per element read than full ones and a low remainder.
 *
 * @param height of the first strips
 * @param first how many have this height
 * @param second how many have one row less
 */
record Strips(int height, long first, long second) {
  static Strips of(long rows, int most) {
    if (rows <= most) {
      return new Strips((int) rows, 1, 0);
    }
    long strips = Math.ceilDiv(rows, (long) most);
    int height = (int) Math.ceilDiv(rows, strips);
    long second = strips * height - rows;
    return new Strips(height, strips - second, second);
  }
}
