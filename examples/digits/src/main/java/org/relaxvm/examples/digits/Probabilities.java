package org.relaxvm.examples.digits;

/** Reads the program's result, {@code [n, 10]} probabilities. Stateless. */
final class Probabilities {
  private static final int DIGITS = 10;

  private Probabilities() {}

  /**
   * Returns the digit with the largest probability in one row.
   *
   * @param probabilities all rows, one after the other
   */
  static int mostLikely(float[] probabilities, int row) {
    int best = 0;
    for (int digit = 1; digit < DIGITS; digit++) {
      if (probabilities[row * DIGITS + digit] > probabilities[row * DIGITS + best]) {
        best = digit;
      }
    }
    return best;
  }
}
