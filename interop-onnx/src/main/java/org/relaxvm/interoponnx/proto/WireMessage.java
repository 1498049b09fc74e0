package org.relaxvm.interoponnx.proto;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.interoponnx.options.OnnxLimits;

/**
 * A message of the protobuf wire format. Its fields are located, not decoded: bytes stay where they
 * are, and offsets have 64 bits.
 *
 * <p>As the format demands, fields may come in any order; the last value of a singular scalar wins;
 * a singular message that occurs several times is merged; numbers are read packed and unpacked;
 * unknown fields, and known ones of another wire type, are skipped.
 *
 * <p>Immutable; as thread-safe as the memory it reads. Source: the protocol buffers documentation,
 * "Encoding".
 *
 * <p>Rationale: docs/rationale/interop-onnx.md, "Why are protocol buffers read without the
 * library?"
 */
public final class WireMessage {
  /** Nested messages at most, as in the libraries of the format. */
  static final int MAX_DEPTH = 100;

  /** A message without fields. */
  static final WireMessage EMPTY = of(MemorySegment.ofArray(new byte[0]));

  private static final ValueLayout.OfInt INT =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int INITIAL_FIELDS = 4;
  private static final int[] NO_TAGS = {};
  private static final long[] NO_VALUES = {};

  private final MemorySegment file;
  private final FieldBudget budget;
  private final int depth;
  private int count;
  private int[] tags = NO_TAGS;

  /** The value of a number, or where bytes begin. */
  private long[] values = NO_VALUES;

  /** Where bytes end. */
  private long[] ends = NO_VALUES;

  private WireMessage(MemorySegment file, FieldBudget budget, int depth) {
    this.file = file;
    this.budget = budget;
    this.depth = depth;
  }

  /**
   * The message that fills a segment.
   *
   * @throws org.relaxvm.api.error.MalformedFileException when it breaks the wire format
   */
  public static WireMessage of(MemorySegment file) {
    return of(file, OnnxLimits.DEFAULT.maxFields());
  }

  /**
   * The message that fills a segment.
   *
   * @param maxFields of it and of all messages in it together
   * @throws org.relaxvm.api.error.MalformedFileException when it breaks the wire format, or has
   *     more fields
   */
  static WireMessage of(MemorySegment file, long maxFields) {
    WireMessage message = new WireMessage(file, new FieldBudget(maxFields), 0);
    message.scan(0, file.byteSize());
    return message;
  }

  private void scan(long from, long to) {
    WireCursor in = new WireCursor(file, from, to);
    while (in.hasNext()) {
      long at = in.position();
      int tag = in.tag();
      switch (tag & 7) {
        case WireCursor.VARINT -> add(tag, in.varint(), 0);
        case WireCursor.FIXED64 -> add(tag, in.fixed64(), 0);
        case WireCursor.FIXED32 -> add(tag, in.fixed32(), 0);
        case WireCursor.BYTES -> {
          long length = in.length();
          add(tag, in.position(), in.position() + length);
          in.skip(length);
        }
        default -> in.skipGroup(at, tag);
      }
    }
  }

  private void add(int tag, long value, long end) {
    budget.add(1);
    if (count == tags.length) {
      int capacity = Math.max(INITIAL_FIELDS, count * 2);
      tags = Arrays.copyOf(tags, capacity);
      values = Arrays.copyOf(values, capacity);
      ends = Arrays.copyOf(ends, capacity);
    }
    tags[count] = tag;
    values[count] = value;
    ends[count] = end;
    count++;
  }

  private static int tag(int number, int wireType) {
    return number << 3 | wireType;
  }

  private int last(int tag) {
    for (int i = count - 1; i >= 0; i--) {
      if (tags[i] == tag) {
        return i;
      }
    }
    return -1;
  }

  // ---------------------------------------------------------------- singular fields

  /** The integer of a field, or 0. */
  public long integer(int number) {
    int i = last(tag(number, WireCursor.VARINT));
    return i < 0 ? 0 : values[i];
  }

  /** Whether a field with an integer occurs. */
  public boolean hasInteger(int number) {
    return last(tag(number, WireCursor.VARINT)) >= 0;
  }

  /** The float32 of a field, or 0. */
  public float real(int number) {
    int i = last(tag(number, WireCursor.FIXED32));
    return i < 0 ? 0 : Float.intBitsToFloat((int) values[i]);
  }

  /** Whether a field with a float32 occurs. */
  public boolean hasReal(int number) {
    return last(tag(number, WireCursor.FIXED32)) >= 0;
  }

  /** The bytes of a field, a slice of the file, or null. */
  public @Nullable MemorySegment bytes(int number) {
    int i = last(tag(number, WireCursor.BYTES));
    return i < 0 ? null : slice(i);
  }

  private MemorySegment slice(int i) {
    return file.asSlice(values[i], ends[i] - values[i]);
  }

  /** The UTF-8 text of a field, or the empty string. */
  public String string(int number) {
    MemorySegment bytes = bytes(number);
    return bytes == null ? "" : counted(bytes);
  }

  private String counted(MemorySegment text) {
    budget.addText(text.byteSize());
    return string(text);
  }

  /** UTF-8 text; what is none becomes replacement characters. */
  public static String string(MemorySegment bytes) {
    return new String(bytes.toArray(JAVA_BYTE), StandardCharsets.UTF_8);
  }

  /** The message of a field, merged from all its occurrences, or null. */
  public @Nullable WireMessage message(int number) {
    return merged(number, 0);
  }

  private @Nullable WireMessage merged(int number, int from) {
    int wanted = tag(number, WireCursor.BYTES);
    WireMessage result = null;
    for (int i = from; i < count; i++) {
      if (tags[i] == wanted) {
        if (result == null) {
          result = nested(i);
        }
        result.scan(values[i], ends[i]);
      }
    }
    return result;
  }

  private WireMessage nested(int i) {
    if (depth + 1 > MAX_DEPTH) {
      throw WireCursor.malformed(
          values[i], "messages are nested more than " + MAX_DEPTH + " levels deep", "");
    }
    budget.addMessage();
    return new WireMessage(file, budget, depth + 1);
  }

  /**
   * The field that is set among those that exclude each other: the last one.
   *
   * @param alternatives what {@link #bytesField} and {@link #integerField} give
   * @return the number of the field, or 0
   */
  public int oneOf(int... alternatives) {
    int i = lastOf(alternatives);
    return i < 0 ? 0 : tags[i] >>> 3;
  }

  /** A field with bytes or a message, as an alternative. */
  public static int bytesField(int number) {
    return tag(number, WireCursor.BYTES);
  }

  /** A field with an integer, as an alternative. */
  public static int integerField(int number) {
    return tag(number, WireCursor.VARINT);
  }

  private int lastOf(int... alternatives) {
    for (int i = count - 1; i >= 0; i--) {
      for (int alternative : alternatives) {
        if (tags[i] == alternative) {
          return i;
        }
      }
    }
    return -1;
  }

  /**
   * The message of the field that is set among those that exclude each other, merged from its
   * occurrences after the last one of the others.
   *
   * @param number of the field, which {@link #oneOf} gave
   * @param alternatives as for {@link #oneOf}
   */
  public @Nullable WireMessage messageOf(int number, int... alternatives) {
    int wanted = tag(number, WireCursor.BYTES);
    return merged(
        number, lastOf(IntStream.of(alternatives).filter(tag -> tag != wanted).toArray()) + 1);
  }

  // ---------------------------------------------------------------- repeated fields

  /** The messages of a repeated field, in order. */
  public List<WireMessage> messages(int number) {
    return messages(number, message -> message);
  }

  /** What the messages of a repeated field are made into one by one, in order. */
  <T> List<T> messages(int number, Function<WireMessage, T> reader) {
    int wanted = tag(number, WireCursor.BYTES);
    List<T> result = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (tags[i] == wanted) {
        WireMessage message = nested(i);
        message.scan(values[i], ends[i]);
        result.add(reader.apply(message));
      }
    }
    return result.isEmpty() ? List.of() : Collections.unmodifiableList(result);
  }

  /** The byte strings of a repeated field, slices of the file, in order. */
  public List<MemorySegment> byteStrings(int number) {
    int wanted = tag(number, WireCursor.BYTES);
    List<MemorySegment> result = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (tags[i] == wanted) {
        result.add(slice(i));
      }
    }
    return result;
  }

  /** The strings of a repeated field, in order. */
  public List<String> strings(int number) {
    return byteStrings(number).stream().map(this::counted).toList();
  }

  /** The integers of a repeated field, in order, each of which counts as a field. */
  public long[] integers(int number) {
    return list(action -> forEachInteger(number, action));
  }

  private long[] list(Consumer<LongConsumer> numbers) {
    LongList list = new LongList();
    numbers.accept(
        value -> {
          budget.add(1);
          list.add(value);
        });
    return list.toArray();
  }

  /** Gives the integers of a repeated field, in order. */
  public void forEachInteger(int number, LongConsumer action) {
    for (int i = 0; i < count; i++) {
      if (tags[i] == tag(number, WireCursor.VARINT)) {
        action.accept(values[i]);
      } else if (tags[i] == tag(number, WireCursor.BYTES)) {
        WireCursor in = new WireCursor(file, values[i], ends[i]);
        while (in.hasNext()) {
          action.accept(in.varint());
        }
      }
    }
  }

  /** Gives the bits of the float32 numbers of a repeated field, in order. */
  public void forEachFixed32(int number, LongConsumer action) {
    for (int i = 0; i < count; i++) {
      if (tags[i] == tag(number, WireCursor.FIXED32)) {
        action.accept(values[i]);
      } else if (tags[i] == tag(number, WireCursor.BYTES)) {
        requireWhole(i, Integer.BYTES);
        for (long at = values[i]; at < ends[i]; at += Integer.BYTES) {
          action.accept(file.get(INT, at));
        }
      }
    }
  }

  /** Gives the bits of the float64 numbers of a repeated field, in order. */
  public void forEachFixed64(int number, LongConsumer action) {
    for (int i = 0; i < count; i++) {
      if (tags[i] == tag(number, WireCursor.FIXED64)) {
        action.accept(values[i]);
      } else if (tags[i] == tag(number, WireCursor.BYTES)) {
        requireWhole(i, Long.BYTES);
        for (long at = values[i]; at < ends[i]; at += Long.BYTES) {
          action.accept(file.get(LONG, at));
        }
      }
    }
  }

  private void requireWhole(int i, int width) {
    if ((ends[i] - values[i]) % width != 0) {
      throw WireCursor.malformed(
          values[i],
          "packed numbers of " + width + " bytes each take " + (ends[i] - values[i]) + " bytes",
          "");
    }
  }

  /** The float32 numbers of a repeated field, in order, each of which counts as a field. */
  public float[] reals(int number) {
    long[] bits = list(action -> forEachFixed32(number, action));
    float[] result = new float[bits.length];
    for (int i = 0; i < bits.length; i++) {
      result[i] = Float.intBitsToFloat((int) bits[i]);
    }
    return result;
  }

  /**
   * The bytes of a repeated field of fixed width where all its numbers are packed in one piece,
   * little-endian; null where they are not.
   */
  public @Nullable MemorySegment packed(int number, int width) {
    int found = -1;
    for (int i = 0; i < count; i++) {
      if (tags[i] >>> 3 == number) {
        if (found >= 0 || tags[i] != tag(number, WireCursor.BYTES)) {
          return null;
        }
        found = i;
      }
    }
    if (found < 0) {
      return null;
    }
    requireWhole(found, width);
    return slice(found);
  }

  /** Whether a field occurs, whatever its wire type. */
  public boolean has(int number) {
    for (int i = 0; i < count; i++) {
      if (tags[i] >>> 3 == number) {
        return true;
      }
    }
    return false;
  }
}
