package org.relaxvm.interoponnx.proto;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A tensor of a file. Its elements are read on demand. Immutable. */
public final class TensorProto {
  private static final int EXTERNAL = 1;

  private final WireMessage message;
  private final String name;
  private final long[] dims;
  private final Map<String, String> externalData;

  TensorProto(WireMessage message) {
    this.message = message;
    this.name = message.string(8);
    this.dims = message.integers(1);
    this.externalData = Entries.strings(message.messages(13));
  }

  /** The tensor of a message. */
  public static TensorProto of(WireMessage message) {
    return new TensorProto(message);
  }

  /** Reads a tensor that is a file of its own. */
  public static TensorProto read(MemorySegment file) {
    return new TensorProto(WireMessage.of(file));
  }

  /** The name, or the empty string. */
  public String name() {
    return name;
  }

  /** The extents; none for a scalar. */
  public long[] dims() {
    return dims.clone();
  }

  /** The number of the element type in the format. */
  public int dataType() {
    return (int) message.integer(2);
  }

  /** Whether the elements are in another file. */
  public boolean isExternal() {
    return message.integer(14) == EXTERNAL;
  }

  /** Where the elements are in another file. */
  public Map<String, String> externalData() {
    return externalData;
  }

  /** The elements as little-endian bytes, a slice of the file; null when they are in fields. */
  public @Nullable MemorySegment rawData() {
    return message.bytes(9);
  }

  /** The elements where a typed field has them packed as little-endian bytes, or null. */
  public @Nullable MemorySegment packedData(Field field) {
    return field.width == 0 ? null : message.packed(field.number, field.width);
  }

  /** Gives the bits of the numbers of a field, in order. */
  public void forEach(Field field, LongConsumer action) {
    switch (field.width) {
      case Integer.BYTES -> message.forEachFixed32(field.number, action);
      case Long.BYTES -> message.forEachFixed64(field.number, action);
      default -> message.forEachInteger(field.number, action);
    }
  }

  /** The elements of a tensor of strings, slices of the file. */
  public List<MemorySegment> stringData() {
    return message.byteStrings(6);
  }

  /** The typed fields. */
  public enum Field {
    FLOATS(4, Integer.BYTES),
    INT32S(5, 0),
    INT64S(7, 0),
    DOUBLES(10, Long.BYTES),
    UINT64S(11, 0);

    private final int number;
    private final int width;

    Field(int number, int width) {
      this.number = number;
      this.width = width;
    }
  }
}
