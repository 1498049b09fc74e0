package org.relaxvm.rpc.wire;

import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.TypeCode;

/**
 * Reads packed sequences. Values are null, {@link Long}, {@link Boolean}, {@link Double}, {@link
 * OpaquePointer}, {@link DType}, {@link WireDevice}, {@link TensorView}, {@link String}, {@code
 * byte[]} and {@link ObjectHandle}.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 3.
 */
public final class ValueReader {
  /** Bytes of the smallest value: its type index. */
  private static final int SMALLEST_VALUE = Integer.BYTES;

  private final PacketInput in;

  /** Reads values of the packets of an input. */
  public ValueReader(PacketInput in) {
    this.in = in;
  }

  /**
   * A sequence with its count in front of it.
   *
   * @throws WireException when the packet is too short, exceeds a limit or has an unknown type
   */
  public @Nullable Object[] readSequence() throws IOException {
    @Nullable Object[] values = new Object[readCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = readValue();
    }
    return values;
  }

  /**
   * The number of values of a sequence, which follow.
   *
   * @throws WireException as {@link #readSequence}
   */
  public int readCount() throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.limits().values()) {
      throw new WireException(
          "a sequence of "
              + Integer.toUnsignedString(count)
              + " values; at most "
              + in.limits().values()
              + " are allowed");
    }
    if ((long) count * SMALLEST_VALUE > in.remaining()) {
      throw new WireException(
          "the packet is too short for "
              + count
              + " values: "
              + in.remaining()
              + " bytes are left");
    }
    return count;
  }

  /**
   * The next value of a sequence.
   *
   * @throws WireException as {@link #readSequence}
   */
  public @Nullable Object readValue() throws IOException {
    int type = in.readInt();
    return switch (type) {
      case TypeIndex.NONE -> null;
      case TypeIndex.INT -> in.readLong();
      case TypeIndex.BOOL -> in.readLong() != 0;
      case TypeIndex.FLOAT -> Double.longBitsToDouble(in.readLong());
      case TypeIndex.OPAQUE_POINTER -> new OpaquePointer(in.readLong());
      case TypeIndex.DATA_TYPE -> readPaddedDType();
      case TypeIndex.DEVICE -> readDevice();
      case TypeIndex.TENSOR_VIEW -> readTensor();
      case TypeIndex.RAW_STRING -> in.readText();
      case TypeIndex.BYTE_ARRAY -> in.readBytes();
      case TypeIndex.FUNCTION, TypeIndex.MODULE -> new ObjectHandle(type, in.readLong());
      case TypeIndex.TENSOR ->
          throw new WireException("a tensor object (type 70): tensors are sent as views (type 7)");
      default -> readObject(type);
    };
  }

  /**
   * The length of the text or byte string that is the next value; its content stays in the packet.
   *
   * @return empty for a value of another type, which cannot be read any more
   * @throws WireException when the packet is too short
   */
  public OptionalLong readContentLength() throws IOException {
    int type = in.readInt();
    int inner = isObject(type) ? in.readInt() : type;
    boolean isContent =
        isObject(type)
            ? inner == TypeIndex.STRING || inner == TypeIndex.BYTES
            : inner == TypeIndex.RAW_STRING || inner == TypeIndex.BYTE_ARRAY;
    return isContent ? OptionalLong.of(in.readLength()) : OptionalLong.empty();
  }

  private static boolean isObject(int type) {
    return type == TypeIndex.SMALL_STRING
        || type == TypeIndex.SMALL_BYTES_OBJECT
        || type >= TypeIndex.FIRST_OBJECT;
  }

  private Object readObject(int type) throws IOException {
    if (!isObject(type)) {
      throw new WireException("a value of the unknown type " + type);
    }
    int inner = in.readInt();
    return switch (inner) {
      case TypeIndex.STRING -> in.readText();
      case TypeIndex.BYTES -> in.readBytes();
      case TypeIndex.REMOTE_OBJECT -> new ObjectHandle(inner, in.readLong());
      default -> throw new WireException("an object of type " + type + ", " + inner + " inside");
    };
  }

  private DType readPaddedDType() throws IOException {
    DType dtype = readDType();
    in.readInt();
    return dtype;
  }

  private DType readDType() throws IOException {
    int code = in.readByte();
    int bits = in.readByte();
    int lanes = in.readShort();
    TypeCode typeCode =
        TypeCode.of(code)
            .orElseThrow(() -> new WireException("a data type with the unknown code " + code));
    return new DType(typeCode, bits, lanes);
  }

  private WireDevice readDevice() throws IOException {
    int type = in.readInt();
    return new WireDevice(type, in.readInt());
  }

  /** A tensor view without a type index in front of it, as copies have it. */
  public TensorView readTensor() throws IOException {
    long data = in.readLong();
    WireDevice device = readDevice();
    int rank = in.readInt();
    if (rank < 0 || rank > in.limits().rank()) {
      throw new WireException(
          "a tensor of "
              + Integer.toUnsignedString(rank)
              + " dimensions; at most "
              + in.limits().rank()
              + " are allowed");
    }
    DType dtype = readDType();
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = in.readLong();
      if (dims[i] < 0) {
        throw new WireException("a tensor whose dimension " + i + " is " + dims[i]);
      }
    }
    return new TensorView(data, device, dtype, Shape.ofOwned(dims), in.readLong());
  }
}
