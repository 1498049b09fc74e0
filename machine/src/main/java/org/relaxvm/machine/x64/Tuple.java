package org.relaxvm.machine.x64;

/**
 * How much memory an instruction reads or writes for a vector length, which is also what an 8-bit
 * displacement of EVEX counts in.
 *
 * @param share which part of the vector: 1, 2, 4, 8; 0 if the size is fixed; negative for others
 * @param bytes the bytes of one element, or the fixed size; 0 for neither
 */
record Tuple(int share, int bytes) {
  static final Tuple NONE = new Tuple(0, 0);
  private static final int DUPLICATED = -1;
  private static final int COMPRESSED = -2;

  /**
   * The tuple of a text: {@code FV4} and {@code HV4} are a whole and half a vector of elements that
   * may be broadcast; {@code FVM}, {@code HVM}, {@code QVM}, {@code OVM} parts of a vector; {@code
   * T8} a fixed number of bytes; {@code CV4} up to a whole vector of compressed elements; {@code
   * DUP} what vmovddup reads.
   */
  static Tuple of(String text) {
    return switch (text) {
      case "FVM" -> new Tuple(1, 0);
      case "HVM" -> new Tuple(2, 0);
      case "QVM" -> new Tuple(4, 0);
      case "OVM" -> new Tuple(8, 0);
      case "DUP" -> new Tuple(DUPLICATED, 0);
      default -> {
        if (text.startsWith("T")) {
          yield new Tuple(0, Integer.parseInt(text.substring(1)));
        }
        int bytes = Integer.parseInt(text.substring(2));
        yield switch (text.charAt(0)) {
          case 'F' -> new Tuple(1, bytes);
          case 'H' -> new Tuple(2, bytes);
          default -> new Tuple(COMPRESSED, bytes);
        };
      }
    };
  }

  /** Whether a text is that of a tuple, such as {@code FV4} or {@code T16}. */
  static boolean isTuple(String text) {
    int second = text.length() > 1 ? text.charAt(1) : ' ';
    return switch (text.charAt(0)) {
      case 'T' -> second >= '0' && second <= '9';
      case 'F', 'H', 'C', 'Q', 'O' -> second == 'V' && text.length() == 3;
      default -> text.equals("DUP");
    };
  }

  boolean hasBroadcast() {
    return share > 0 && bytes > 0;
  }

  /** Bytes of the memory operand; 0 if the instruction does not access it. */
  int memoryBytes(int length, boolean isBroadcast) {
    if (share == 0 || isBroadcast) {
      return bytes;
    }
    return switch (share) {
      case DUPLICATED -> length == 128 ? 8 : length / 8;
      case COMPRESSED -> length / 8;
      default -> length / 8 / share;
    };
  }

  /** What an 8-bit displacement of EVEX counts in, given the bytes of the memory operand. */
  int unit(int memoryBytes) {
    return share == COMPRESSED ? bytes : Math.max(1, memoryBytes);
  }

  /** The number of lanes that one element is broadcast to. */
  int lanes(int length) {
    return length / 8 / share / bytes;
  }
}
