package org.relaxvm.interoprelay.release.file;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.binary.ByteCursor;

/** Reads the fields of one instruction from front to back. Confined to one thread. */
final class WordCursor {
  private static final int MAX_BITS = 255;

  private final ByteCursor in;
  private final long start;
  private final long[] words;
  private int next;

  /**
   * A cursor at the hash.
   *
   * @param in makes the errors
   * @param start the byte of the file at which the words begin
   */
  WordCursor(ByteCursor in, long start, long[] words) {
    this.in = in;
    this.start = start;
    this.words = words;
  }

  long word(String field) {
    if (next >= words.length) {
      throw fail(next, field, "a word more", "an instruction of " + words.length + " words");
    }
    return words[next++];
  }

  /** A number from 0 to {@link Integer#MAX_VALUE}. */
  int index(String field) {
    return between(field, 0, Integer.MAX_VALUE);
  }

  /** A number of 32 bits. */
  int signed(String field) {
    return between(field, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** A number of elements that follow somewhere in the instruction. */
  int count(String field) {
    return between(field, 0, words.length);
  }

  List<Integer> indices(int count, String field) {
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(index(field));
    }
    return values;
  }

  Shape shape(int rank) {
    if (rank > words.length - next) {
      throw fail(
          words.length, "extent", "a word more", "an instruction of " + words.length + " words");
    }
    long[] extents = new long[rank];
    for (int i = 0; i < rank; i++) {
      extents[i] = word("extent");
      if (extents[i] < 0) {
        throw fail(next - 1, "extent", "0 or more", Long.toString(extents[i]));
      }
    }
    return Shape.ofOwned(extents);
  }

  /** A data type. */
  DType dtype() {
    int at = next;
    int code = between("data type code", 0, MAX_BITS);
    int bits = between("data type bits", 0, MAX_BITS);
    int lanes = between("data type lanes", 0, Short.MAX_VALUE);
    TypeCode typeCode =
        TypeCode.of(code)
            .orElseThrow(
                () ->
                    fail(
                        at,
                        "data type code",
                        "0 to " + (TypeCode.values().length - 1),
                        Integer.toString(code)));
    return OldBool.inMemory(new DType(typeCode, bits, lanes));
  }

  void end() {
    if (next != words.length) {
      throw fail(next, "end of the instruction", next + " words", Integer.toString(words.length));
    }
  }

  MalformedFileException fail(int index, String field, String expected, String got) {
    return in.fail(start + 8L * index, field, expected, got, ByteCursor.DAMAGED);
  }

  private int between(String field, int least, int most) {
    long value = word(field);
    if (value < least || value > most) {
      throw fail(next - 1, field, least + " to " + most, Long.toString(value));
    }
    return (int) value;
  }
}
