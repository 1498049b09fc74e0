package org.relaxvm.vmcore.binary;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Reads a little-endian byte string from front to back. Every length is compared with the bytes
 * that are left before anything is allocated, so that memory stays within a small multiple of the
 * input.
 *
 * <p>Source: docs/spec/executable-format.md, section 1. Confined to one thread.
 */
public final class ByteCursor {
  /** The remedy for input that ends too early. */
  public static final String CUT_SHORT = "the file is cut short: copy, download or build it again";

  /** The remedy for input that contradicts itself. */
  public static final String DAMAGED = "the file is damaged: copy, download or build it again";

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  // A Java array cannot be longer on every JVM.
  private static final long MAX_ARRAY = Integer.MAX_VALUE - 8;

  private final MemorySegment bytes;
  private long position;
  private FormatProblem problem = FormatProblem.of("malformed file");
  private String item = "";
  private long itemIndex = -1;
  private long itemCount;

  /** A cursor at the first byte. */
  public ByteCursor(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /** Sets the problem that errors from here on report, and forgets the item. */
  public void section(FormatProblem newProblem) {
    problem = newProblem;
    item = "";
    itemIndex = -1;
  }

  /** Changes the problem that errors from here on report; the item stays. Returns the old one. */
  public FormatProblem problem(FormatProblem newProblem) {
    FormatProblem before = problem;
    problem = newProblem;
    return before;
  }

  /** Says which item of how many is read from here on, such as {@code constant 3 of 7}. */
  public void item(String name, long index, long count) {
    item = name;
    itemIndex = index;
    itemCount = count;
  }

  /** The index of the next byte. */
  public long position() {
    return position;
  }

  /** The number of bytes that are left. */
  public long remaining() {
    return bytes.byteSize() - position;
  }

  /** Reads one byte as 0 to 255. */
  public int u8(String field) {
    require(1, field);
    return bytes.get(ValueLayout.JAVA_BYTE, position++) & 0xFF;
  }

  /** Reads 32 bits. */
  public int i32(String field) {
    require(4, field);
    int value = bytes.get(INT, position);
    position += 4;
    return value;
  }

  /** Reads 64 bits. */
  public long i64(String field) {
    require(8, field);
    long value = bytes.get(LONG, position);
    position += 8;
    return value;
  }

  /**
   * Reads a number of elements and checks that so many can follow.
   *
   * @param minimumBytes what each element takes at least
   */
  public int count(String field, int minimumBytes) {
    long at = position;
    long count = i64(field);
    if (count < 0 || count > remaining() / minimumBytes) {
      throw fail(
          at,
          field,
          "at most "
              + remaining() / minimumBytes
              + ", for "
              + remaining()
              + " bytes are left and each takes "
              + minimumBytes
              + " or more",
          Long.toUnsignedString(count),
          CUT_SHORT);
    }
    if (count > MAX_ARRAY) {
      throw fail(
          at,
          field,
          "at most " + MAX_ARRAY,
          Long.toString(count),
          "split the program into several");
    }
    return (int) count;
  }

  /** Reads a byte length and that many bytes of UTF-8. */
  public String string(String field) {
    int length = count("byte length of the " + field, 1);
    long at = position;
    ByteBuffer content = slice(length, field).asByteBuffer();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(content).toString();
    } catch (CharacterCodingException _) {
      throw fail(at + content.position(), field, "UTF-8", "bytes that are not UTF-8", DAMAGED);
    }
  }

  /** Reads an element count and that many 64-bit numbers. */
  public long[] longs(String field) {
    return longs(count("number of " + field, 8), field);
  }

  /** Reads a known number of 64-bit numbers. */
  public long[] longs(int count, String field) {
    require(8L * count, field);
    long[] values = new long[count];
    MemorySegment.copy(bytes, LONG, position, values, 0, count);
    position += 8L * count;
    return values;
  }

  /** Passes over bytes and returns them without a copy. */
  public MemorySegment slice(long length, String field) {
    require(length, field);
    MemorySegment slice = bytes.asSlice(position, length);
    position += length;
    return slice;
  }

  /** The error at a byte of the file. */
  public MalformedFileException fail(
      long at, String field, String expected, String got, String remedy) {
    String where = itemIndex < 0 ? "" : item + " " + itemIndex + " of " + itemCount + ", ";
    return FormatError.of(problem, at, where + field, expected, got, remedy);
  }

  private void require(long length, String field) {
    if (length < 0 || length > remaining()) {
      String left = remaining() == 1 ? "1 byte is left" : remaining() + " bytes are left";
      throw fail(position, field, length == 1 ? "1 byte" : length + " bytes", left, CUT_SHORT);
    }
  }
}
