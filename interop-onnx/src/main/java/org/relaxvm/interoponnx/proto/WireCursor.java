package org.relaxvm.interoponnx.proto;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** Reads the wire format between two offsets of a file. Every read is checked. Not thread-safe. */
final class WireCursor {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int FIXED32 = 5;

  private static final int START_GROUP = 3;
  private static final int END_GROUP = 4;
  private static final int VARINT_BYTES = 10;
  private static final int MAX_FIELD = (1 << 29) - 1;

  private final MemorySegment file;
  private final long end;
  private long at;

  WireCursor(MemorySegment file, long from, long to) {
    this.file = file;
    this.at = from;
    this.end = to;
  }

  boolean hasNext() {
    return at < end;
  }

  long position() {
    return at;
  }

  int tag() {
    long begin = at;
    long tag = varint();
    long number = tag >>> 3;
    int wireType = (int) tag & 7;
    if (number == 0 || number > MAX_FIELD || wireType > FIXED32) {
      throw malformed(begin, "no field has the tag " + Long.toUnsignedString(tag), "");
    }
    return (int) tag;
  }

  long varint() {
    long begin = at;
    long result = 0;
    for (int i = 0; i < VARINT_BYTES; i++) {
      require(1, "a number of 1 to 10 bytes");
      byte b = file.get(JAVA_BYTE, at++);
      result |= (long) (b & 0x7F) << (7 * i);
      if (b >= 0) {
        return result;
      }
    }
    throw malformed(begin, "a number takes more than " + VARINT_BYTES + " bytes", "");
  }

  long fixed32() {
    require(Integer.BYTES, "4 bytes");
    at += Integer.BYTES;
    return file.get(JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at - Integer.BYTES);
  }

  long fixed64() {
    require(Long.BYTES, "8 bytes");
    at += Long.BYTES;
    return file.get(JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at - Long.BYTES);
  }

  /** The length of bytes that follow, all of which are there. */
  long length() {
    long begin = at;
    long length = varint();
    if (length < 0 || length > end - at) {
      throw malformed(
          begin,
          "a field takes " + Long.toUnsignedString(length) + " bytes",
          ", but " + (end - at) + " are left in its message");
    }
    return length;
  }

  void skip(long bytes) {
    at += bytes;
  }

  /** Skips the fields of a group, whose groups may be nested, up to its end. */
  void skipGroup(long begin, int startTag) {
    int[] open = new int[WireMessage.MAX_DEPTH];
    int depth = 0;
    int tag = startTag;
    while (true) {
      switch (tag & 7) {
        case START_GROUP -> {
          if (depth == open.length) {
            throw malformed(begin, "groups are nested more than " + depth + " levels deep", "");
          }
          open[depth++] = tag >>> 3;
        }
        case END_GROUP -> {
          if (depth == 0 || open[--depth] != tag >>> 3) {
            throw malformed(begin, "a group ends that did not begin", "");
          }
        }
        case VARINT -> varint();
        case FIXED64 -> fixed64();
        case FIXED32 -> fixed32();
        default -> skip(length());
      }
      if (depth == 0) {
        return;
      }
      if (!hasNext()) {
        throw malformed(begin, "a group does not end", "");
      }
      tag = tag();
    }
  }

  private void require(int bytes, String expected) {
    if (end - at < bytes) {
      throw malformed(at, "expected " + expected, ", but " + (end - at) + " are left");
    }
  }

  static MalformedFileException malformed(long at, String what, String more) {
    return new MalformedFileException(
        ErrorKind.VALUE,
        "malformed ONNX model at byte "
            + at
            + ": "
            + what
            + more
            + "\n"
            + "  what to do: copy or download the file again; it is damaged, or not an ONNX"
            + " model");
  }
}
