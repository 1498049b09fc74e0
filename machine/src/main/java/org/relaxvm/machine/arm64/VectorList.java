package org.relaxvm.machine.arm64;

import java.util.StringJoiner;

/**
 * One to four vector registers of adjacent numbers, with the same lanes. Register 0 is after 31.
 *
 * @param first the number of the first register, 0 to 31
 * @param count 1 to 4
 * @param arrangement the lanes of each
 */
public record VectorList(int first, int count, Arrangement arrangement) implements Operand {
  /** Checks the ranges. */
  public VectorList {
    Vector.checkNumber(first);
    checkCount(count);
  }

  static void checkCount(int count) {
    if (count < 1 || count > 4) {
      throw new IllegalArgumentException("a list has 1 to 4 registers, but got " + count);
    }
  }

  /** A list of {@code count} registers, of which {@code first} is the first. */
  public static VectorList of(Vector first, int count) {
    return new VectorList(first.number(), count, first.arrangement());
  }

  static String text(int first, int count, Object lanes) {
    StringJoiner names = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < count; i++) {
      names.add("v" + (first + i) % 32 + "." + lanes);
    }
    return names.toString();
  }

  /** The list in the manual, such as <code>{v3.4s, v4.4s}</code>. */
  @Override
  public String toString() {
    return text(first, count, arrangement);
  }
}
