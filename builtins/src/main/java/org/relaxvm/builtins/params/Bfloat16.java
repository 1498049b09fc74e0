package org.relaxvm.builtins.params;

/** Upper halves of floats. */
final class Bfloat16 {
  private static final float LARGEST = Float.intBitsToFloat(0x7F7F0000);

  private Bfloat16() {}

  /**
   * The upper half that stands for a float: rounded to the nearest, ties to even. From the largest
   * bfloat16 on the lower half is cut off, so that masks of very large numbers do not become
   * infinite; not-a-number stays one.
   */
  static short of(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      // What is set in the lower half only would be lost, and infinity left.
      return (short) ((bits >>> 16) | 0x40);
    }
    int rounding = Math.abs(value) < LARGEST ? 0x7FFF + ((bits >>> 16) & 1) : 0;
    return (short) ((bits + rounding) >>> 16);
  }
}
