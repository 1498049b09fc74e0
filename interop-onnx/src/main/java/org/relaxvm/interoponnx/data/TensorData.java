package org.relaxvm.interoponnx.data;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.TensorProto.Field;
import org.relaxvm.interoponnx.proto.WireMessage;

/**
 * The elements of tensors in files. Slices of mapped memory are used as they are where they are
 * aligned; others, and typed fields, are copied to native memory. Both live as long as something
 * refers to them. Thread-safe.
 */
public final class TensorData {
  /** Tensors that are smaller are copied to the heap. */
  private static final long SMALL = 1024;

  private final ExternalData external;
  private final Arena copies = Arena.ofAuto();

  /** Elements in other files are found by {@code external}. */
  public TensorData(ExternalData external) {
    this.external = external;
  }

  /**
   * A tensor with the elements of a file.
   *
   * @param where for messages, such as {@code initializer 'w'}
   * @throws MalformedFileException when the elements do not fit the extents, are not there, or are
   *     strings
   */
  public Tensor tensor(TensorProto proto, String where) {
    ElementType type = ElementType.of(proto.dataType());
    DType dtype = type.dtype();
    if (dtype == null) {
      throw malformed(where, "has elements of type " + type.string() + "; expected numbers");
    }
    Shape shape = shape(proto, where);
    long bytes = byteSize(dtype, shape, where);
    MemorySegment elements =
        proto.isExternal()
            ? external.find(proto.externalData(), bytes, where, this::placed)
            : placed(elements(proto, type, bytes, where));
    return Tensor.wrap(elements, dtype, shape);
  }

  /**
   * The strings of a tensor in row-major order.
   *
   * @throws MalformedFileException when there are more or less than the extents say
   */
  public List<String> strings(TensorProto proto, String where) {
    long expected = shape(proto, where).elementCount();
    List<MemorySegment> strings = proto.stringData();
    if (strings.size() != expected) {
      throw malformed(
          where, "has " + strings.size() + " strings; expected " + expected + " by its extents");
    }
    return strings.stream().map(WireMessage::string).toList();
  }

  /**
   * The shape of a tensor.
   *
   * @throws MalformedFileException when an extent is negative, or there are too many elements
   */
  public static Shape shape(TensorProto proto, String where) {
    return shape(proto.dims(), where);
  }

  /**
   * The shape of some extents.
   *
   * @throws MalformedFileException as {@link #shape(TensorProto, String)}
   */
  public static Shape shape(long[] dims, String where) {
    long count = 1;
    for (long dim : dims) {
      if (dim < 0) {
        throw malformed(where, "has the extent " + dim + "; expected 0 or more");
      }
      // An empty tensor may not hide extents whose product overflows.
      long extent = Math.max(dim, 1);
      if (Math.multiplyHigh(count, extent) != 0 || count * extent < 0) {
        throw malformed(where, "has more elements than 2^63: " + Arrays.toString(dims));
      }
      count *= extent;
    }
    return Shape.of(dims);
  }

  private static long byteSize(DType dtype, Shape shape, String where) {
    try {
      return dtype.byteSize(shape.elementCount());
    } catch (CallException e) {
      throw malformed(where, "takes more than 2^63 bytes");
    }
  }

  private MemorySegment elements(TensorProto proto, ElementType type, long bytes, String where) {
    MemorySegment raw = proto.rawData();
    if (raw != null) {
      return sized(raw, bytes, "raw data", where);
    }
    Field field = type.field();
    if (field == null) {
      throw malformed(where, "has no elements");
    }
    MemorySegment packed = proto.packedData(field);
    return packed != null
        ? sized(packed, bytes, "packed numbers", where)
        : decoded(proto, field, type, bytes, where);
  }

  private static MemorySegment sized(
      MemorySegment elements, long bytes, String what, String where) {
    if (elements.byteSize() != bytes) {
      throw malformed(
          where,
          "has "
              + elements.byteSize()
              + " bytes of "
              + what
              + "; expected "
              + bytes
              + " by its extents and element type");
    }
    return elements;
  }

  /** Aligned memory with the same bytes. */
  private MemorySegment placed(MemorySegment elements) {
    long bytes = elements.byteSize();
    if (isAligned(elements)) {
      return elements;
    }
    if (bytes <= SMALL) {
      return MemorySegment.ofArray(elements.toArray(JAVA_BYTE)).asReadOnly();
    }
    MemorySegment copy = allocate(bytes);
    copy.copyFrom(elements);
    return copy;
  }

  static boolean isAligned(MemorySegment elements) {
    return !elements.isNative() || elements.address() % HostDevice.ALIGNMENT == 0;
  }

  private MemorySegment allocate(long bytes) {
    return HostDevice.allocateNative(copies, bytes, HostDevice.ALIGNMENT);
  }

  /** Numbers as integers of any width, each written as the bytes of one element or of one group. */
  private MemorySegment decoded(
      TensorProto proto, Field field, ElementType type, long bytes, String where) {
    DType dtype = Objects.requireNonNull(type.dtype());
    int width =
        field == Field.FLOATS ? 4 : field == Field.DOUBLES ? 8 : Math.max(1, dtype.bits() / 8);
    long expected = bytes / width;
    Counter count = new Counter();
    proto.forEach(field, count::next);
    if (count.value != expected) {
      throw malformed(
          where, "has " + count.value + " numbers; expected " + expected + " by its extents");
    }
    MemorySegment target =
        bytes <= SMALL ? MemorySegment.ofArray(new byte[(int) bytes]) : allocate(bytes);
    Counter at = new Counter();
    proto.forEach(
        field,
        number -> {
          put(target, at.value * width, width, number);
          at.next(number);
        });
    return target;
  }

  private static void put(MemorySegment target, long at, int width, long number) {
    switch (width) {
      case 1 -> target.set(JAVA_BYTE, at, (byte) number);
      case 2 ->
          target.set(JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at, (short) number);
      case 4 -> target.set(JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at, (int) number);
      default -> target.set(JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at, number);
    }
  }

  private static final class Counter {
    private long value;

    void next(long number) {
      value++;
    }
  }

  static MalformedFileException malformed(String where, String what) {
    return new MalformedFileException(
        ErrorKind.VALUE, "malformed ONNX model: " + where + " " + what);
  }
}
