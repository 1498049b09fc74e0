package org.relaxvm.integrationtests.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Edits of bytes that know nothing of their meaning. */
final class ByteMutator {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    2,
    0x7F,
    0xFF,
    0x7FFF_FFFFL,
    0x8000_0000L,
    0xFFFF_FFFFL,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    1L << 54,
    (1L << 54) + 1,
    1L << 24,
    1L << 40,
    1L << 60
  };

  private final RandomGenerator random;

  ByteMutator(RandomGenerator random) {
    this.random = random;
  }

  /** One to four edits. */
  byte[] mutate(byte[] original, List<byte[]> others) {
    byte[] bytes = original.clone();
    for (int edits = 1 + random.nextInt(4); edits > 0 && bytes.length > 0; edits--) {
      bytes = edit(bytes, others);
    }
    return bytes;
  }

  private byte[] edit(byte[] bytes, List<byte[]> others) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(9)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt();
      case 2 -> putLong(bytes, at, number(at), random.nextBoolean() ? 8 : 4);
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 4 -> {
        return splice(bytes, 0, at, others.get(random.nextInt(others.size())));
      }
      case 5 -> {
        return splice(bytes, at, Math.min(bytes.length, at + 1 + random.nextInt(16)), bytes);
      }
      case 6 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 16), (byte) random.nextInt());
      case 7 -> {
        return splice(bytes, at, at, new byte[1 + random.nextInt(16)]);
      }
      default -> bytes[at]++;
    }
    return bytes;
  }

  /** Replaces the bytes before {@code to} and from {@code from} on by a piece of another file. */
  private byte[] splice(byte[] bytes, int from, int to, byte[] other) {
    if (other.length == 0) {
      return bytes;
    }
    int start = random.nextInt(other.length);
    int length = Math.min(other.length - start, 1 + random.nextInt(256));
    byte[] spliced = new byte[from + length + bytes.length - to];
    System.arraycopy(bytes, 0, spliced, 0, from);
    System.arraycopy(other, start, spliced, from, length);
    System.arraycopy(bytes, to, spliced, from + length, bytes.length - to);
    return spliced;
  }

  /** A number that is likely to hurt: an edge, or one near a value that is there. */
  long number(long near) {
    return switch (random.nextInt(4)) {
      case 0 -> near + random.nextInt(9) - 4;
      case 1 -> random.nextInt(16);
      case 2 -> random.nextLong();
      default -> EDGES[random.nextInt(EDGES.length)];
    };
  }

  /** Writes the low bytes of a number, as many as fit. */
  static void putLong(byte[] bytes, int at, long value, int width) {
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }
}
