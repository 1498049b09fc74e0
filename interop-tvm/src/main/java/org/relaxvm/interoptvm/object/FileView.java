package org.relaxvm.interoptvm.object;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatError;
import org.relaxvm.vmcore.binary.FormatProblem;

/**
 * Reads little-endian numbers and names anywhere in a file. No access leaves the file, and the work
 * that tables can cause by naming the same bytes again and again is bounded.
 *
 * <p>Confined to one thread.
 */
final class FileView {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  // Linkers let names share their ends, so that all names may be longer than their table, if
  // little.
  private static final int BUDGET = 4;

  private final MemorySegment bytes;
  private final String file;
  private final long base;
  private long budget;

  private FileView(MemorySegment bytes, String file, long base) {
    this.bytes = bytes;
    this.file = file;
    this.base = base;
    this.budget =
        bytes.byteSize() > Long.MAX_VALUE / BUDGET ? Long.MAX_VALUE : bytes.byteSize() * BUDGET;
  }

  static FileView of(MemorySegment bytes, String file) {
    return new FileView(bytes, file, 0);
  }

  /** A view of a part; errors still name bytes of the whole. */
  FileView part(Span span) {
    return new FileView(bytes.asSlice(span.offset(), span.length()), file, base + span.offset());
  }

  MemorySegment bytes() {
    return bytes;
  }

  long size() {
    return bytes.byteSize();
  }

  boolean startsWith(int... expected) {
    if (size() < expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if ((bytes.get(ValueLayout.JAVA_BYTE, i) & 0xFF) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  int u8(long at, String what) {
    need(at, 1, what);
    return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
  }

  int u16(long at, String what) {
    need(at, 2, what);
    return bytes.get(SHORT, at) & 0xFFFF;
  }

  long u32(long at, String what) {
    need(at, 4, what);
    return bytes.get(INT, at) & 0xFFFF_FFFFL;
  }

  /** Reads 64 bits; what is negative is a number beyond every file. */
  long u64(long at, String what) {
    need(at, 8, what);
    return bytes.get(LONG, at);
  }

  /**
   * Bytes that a field of the file speaks of.
   *
   * @param heldAt the field, for the error
   */
  Span span(long offset, long length, long heldAt, String what) {
    if (offset < 0 || length < 0 || offset > size() - length) {
      throw fail(
          heldAt,
          what,
          "bytes among the " + size() + " of the library",
          Long.toUnsignedString(length) + " bytes from byte " + Long.toUnsignedString(offset),
          ByteCursor.CUT_SHORT);
    }
    return new Span(offset, length);
  }

  /** The bytes of a table of so many entries. */
  Span table(long offset, long count, int entryBytes, long heldAt, String what) {
    if (count < 0 || count > size() / entryBytes) {
      throw fail(
          heldAt,
          "number of entries of the " + what,
          "at most " + size() / entryBytes + " in a library of " + size() + " bytes",
          Long.toUnsignedString(count),
          ByteCursor.DAMAGED);
    }
    return span(offset, count * entryBytes, heldAt, what);
  }

  /**
   * A name that ends with a NUL byte.
   *
   * @param end where the NUL must have come
   * @param heldAt the field that says where the name begins, for the error
   */
  String name(long at, long end, long heldAt, String what) {
    if (at < 0 || at >= end || end > size()) {
      throw fail(
          heldAt,
          what,
          "a name before byte " + Long.toUnsignedString(end),
          "one that begins at byte " + Long.toUnsignedString(at),
          ByteCursor.DAMAGED);
    }
    long stop = at;
    while (bytes.get(ValueLayout.JAVA_BYTE, stop) != 0) {
      stop++;
      if (stop == end) {
        throw fail(
            at, what, "a NUL byte at the end", "none before byte " + end, ByteCursor.DAMAGED);
      }
      if (stop - at > budget) {
        break;
      }
    }
    spend(stop - at, heldAt, what);
    byte[] name = bytes.asSlice(at, stop - at).toArray(ValueLayout.JAVA_BYTE);
    // What is no UTF-8 cannot be asked for and need not be told apart.
    return new String(name, StandardCharsets.UTF_8);
  }

  /** Counts work that the same bytes of a file can cause more than once. */
  void spend(long amount, long heldAt, String what) {
    budget -= amount;
    if (budget < 0) {
      throw fail(
          heldAt,
          what,
          "tables and names of at most " + BUDGET + " times the file's size together",
          "more, for many share the same bytes",
          ByteCursor.DAMAGED);
    }
  }

  /** Refuses a field that has another value than the only one possible. */
  void expect(long expected, long got, long at, String what) {
    if (got != expected) {
      throw fail(at, what, Long.toString(expected), Long.toUnsignedString(got), ByteCursor.DAMAGED);
    }
  }

  MalformedFileException fail(long at, String what, String expected, String got, String remedy) {
    return FormatError.of(
        FormatProblem.of("cannot read the native library " + file),
        base + at,
        what,
        expected,
        got,
        remedy);
  }

  private void need(long at, int length, String what) {
    if (at < 0 || at > size() - length) {
      throw fail(
          Math.clamp(at, 0, size()),
          what,
          length == 1 ? "1 byte" : length + " bytes",
          "the end of the library after " + size() + " bytes",
          ByteCursor.CUT_SHORT);
    }
  }
}
