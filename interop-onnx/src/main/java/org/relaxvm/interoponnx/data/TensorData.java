package org.relaxvm.interoponnx.data;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.interoponnx.data.ExternalData.Elements;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.TensorProto.Field;
import org.relaxvm.interoponnx.proto.WireMessage;

/**
 * The elements of tensors in files. Slices of mapped memory are used as they are where they are
 * aligned; others, and typed fields, are copied to native memory when they are first used. Both
 * live as long as something refers to them. Thread-safe.
 */
public final class TensorData {
  /** Tensors that are smaller are copied to the heap. */
  private static final long SMALL = 1024;

  private final Optional<MappedFile> file;
  private final ExternalData external;

  /**
   * @param file of the model, if it is in a file
   * @param external finds elements in other files
   */
  public TensorData(Optional<MappedFile> file, ExternalData external) {
    this.file = file;
    this.external = external;
  }

  /** Elements of tensors in memory. */
  public TensorData(ExternalData external) {
    this(Optional.empty(), external);
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
    Optional<Elements> elements = elements(proto, type, bytes, where);
    return elements.isPresent()
        ? placed(elements.get(), dtype, shape, where)
        : decoded(proto, type, dtype, shape, where);
  }

  /** The file that has the elements of a tensor, if it is not the model's and does not exist. */
  public Optional<String> missingFile(TensorProto proto) {
    return proto.isExternal() ? external.missing(proto.externalData()) : Optional.empty();
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

  /** The elements where they are bytes; empty where they are numbers of fields. */
  private Optional<Elements> elements(
      TensorProto proto, ElementType type, long bytes, String where) {
    if (proto.isExternal()) {
      return Optional.of(external.find(proto.externalData(), bytes, where));
    }
    MemorySegment raw = proto.rawData();
    if (raw != null) {
      return Optional.of(inModel(sized(raw, bytes, "raw data", where)));
    }
    MemorySegment packed = proto.packedData(field(type, where));
    return packed == null
        ? Optional.empty()
        : Optional.of(inModel(sized(packed, bytes, "packed numbers", where)));
  }

  private Elements inModel(MemorySegment bytes) {
    return new Elements(bytes, file.filter(mapped -> mapped.holds(bytes)));
  }

  private static Field field(ElementType type, String where) {
    Field field = type.field();
    if (field == null) {
      throw malformed(where, "has no elements");
    }
    return field;
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

  /** A tensor in aligned memory with the same bytes. */
  private static Tensor placed(Elements elements, DType dtype, Shape shape, String where) {
    MemorySegment bytes = elements.bytes();
    if (!bytes.isNative() || bytes.address() % HostDevice.ALIGNMENT == 0) {
      return Tensor.wrap(bytes, dtype, shape);
    }
    Storage copy =
        elements
            .file()
            .map(file -> file.copyOf(bytes, where, () -> copy(elements)))
            .orElseGet(() -> copy(elements));
    return Tensor.view(copy, 0, dtype, shape);
  }

  /**
   * The bytes in aligned memory: on the heap where they are few, otherwise from their first use.
   */
  private static Storage copy(Elements elements) {
    MemorySegment bytes = elements.bytes();
    Shape shape = Shape.of(bytes.byteSize());
    if (bytes.byteSize() <= SMALL) {
      MemorySegment small = MemorySegment.ofArray(bytes.toArray(JAVA_BYTE)).asReadOnly();
      return Tensor.wrap(small, DType.UINT8, shape).storage();
    }
    return Tensor.deferred(
            DType.UINT8,
            shape,
            target ->
                elements
                    .file()
                    .ifPresentOrElse(
                        file -> file.copy(bytes, target), () -> target.copyFrom(bytes)))
        .storage();
  }

  /** Numbers as integers of any width, each written as the bytes of one element or of one group. */
  private static Tensor decoded(
      TensorProto proto, ElementType type, DType dtype, Shape shape, String where) {
    Field field = field(type, where);
    long bytes = byteSize(dtype, shape, where);
    int width =
        field == Field.FLOATS ? 4 : field == Field.DOUBLES ? 8 : Math.max(1, dtype.bits() / 8);
    long expected = bytes / width;
    Counter count = new Counter();
    proto.forEach(field, count::next);
    if (count.value != expected) {
      throw malformed(
          where, "has " + count.value + " numbers; expected " + expected + " by its extents");
    }
    if (bytes > SMALL) {
      return Tensor.deferred(dtype, shape, target -> decode(proto, field, width, target));
    }
    MemorySegment target = MemorySegment.ofArray(new byte[(int) bytes]);
    decode(proto, field, width, target);
    return Tensor.wrap(target, dtype, shape);
  }

  private static void decode(TensorProto proto, Field field, int width, MemorySegment target) {
    Counter at = new Counter();
    proto.forEach(
        field,
        number -> {
          put(target, at.value * width, width, number);
          at.next(number);
        });
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
