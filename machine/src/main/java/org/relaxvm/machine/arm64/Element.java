package org.relaxvm.machine.arm64;

/**
 * An element of a vector register.
 *
 * @param number the number of the register, 0 to 31
 * @param kind what the index counts
 * @param index from 0 on, within 128 bits
 */
public record Element(int number, Kind kind, int index) implements Operand {

  /** What an index into a vector register counts. */
  public enum Kind {
    B(1, "b"),
    H(2, "h"),
    S(4, "s"),
    D(8, "d"),
    /** Four bytes, which a dot product reads together. */
    B4(4, "4b"),
    /** Two halfwords, which a dot product reads together. */
    H2(4, "2h");

    private final int bytes;
    private final String text;

    Kind(int bytes, String text) {
      this.bytes = bytes;
      this.text = text;
    }

    static Kind ofBytes(int bytes) {
      return switch (bytes) {
        case 1 -> B;
        case 2 -> H;
        case 4 -> S;
        case 8 -> D;
        default -> throw new IllegalArgumentException("there are no elements of bytes: " + bytes);
      };
    }

    /** Whether this is one element and not several. */
    public boolean isSingle() {
      return this != B4 && this != H2;
    }

    /** Bytes that an index selects: 1, 2, 4 or 8. */
    public int bytes() {
      return bytes;
    }

    /** The suffix in the manual. */
    @Override
    public String toString() {
      return text;
    }
  }

  /** Checks the ranges. */
  public Element {
    Vector.checkNumber(number);
    checkIndex(kind, index);
  }

  static void checkIndex(Kind kind, int index) {
    if (index < 0 || index >= 16 / kind.bytes()) {
      throw new IllegalArgumentException(
          "an index of %s is from 0 to %d, but got %d"
              .formatted(kind, 16 / kind.bytes() - 1, index));
    }
  }

  /** The name in the manual, such as {@code v3.s[1]}. */
  @Override
  public String toString() {
    return "v%d.%s[%d]".formatted(number, kind, index);
  }
}
