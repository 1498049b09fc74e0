package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Reads and writes the elements of a host tensor, whatever its dtype, in row-major order. */
final class Elements {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Tensor tensor;
  private final MemorySegment memory;

  private Elements(Tensor tensor, MemorySegment memory) {
    this.tensor = tensor;
    this.memory = memory;
  }

  static Elements of(Tensor tensor) {
    Tensor host = tensor.device().isHost() ? tensor : tensor.toHost();
    host.requireLive();
    return new Elements(host, HostDevice.segmentOf(host.storage().memory()));
  }

  interface DoubleSink {
    void accept(int index, double value);
  }

  interface LongSink {
    void accept(int index, long value);
  }

  void forEachDouble(DoubleSink sink) {
    DType dtype = tensor.dtype();
    Strides.Cursor cursor = cursor();
    int count = (int) tensor.elementCount();
    for (int i = 0; i < count; i++, cursor.advance()) {
      sink.accept(i, readDouble(dtype, tensor.byteOffset() + cursor.byteOffset()));
    }
  }

  void forEachLong(LongSink sink) {
    DType dtype = tensor.dtype();
    requireWhole(dtype);
    Strides.Cursor cursor = cursor();
    int count = (int) tensor.elementCount();
    for (int i = 0; i < count; i++, cursor.advance()) {
      sink.accept(i, readLong(dtype, tensor.byteOffset() + cursor.byteOffset()));
    }
  }

  /** Whether elements of a dtype can be read as numbers. */
  static boolean canRead(DType dtype) {
    boolean bits = dtype.bits() == 8 || dtype.bits() == 16 || dtype.bits() == 32;
    boolean whole = dtype.isInteger() || (dtype.code() == TypeCode.BOOL && dtype.lanes() == 1);
    return dtype.equals(DType.FLOAT16)
        || dtype.equals(DType.FLOAT32)
        || dtype.equals(DType.FLOAT64)
        || dtype.equals(DType.BFLOAT16)
        || dtype.isFloat8()
        || (whole && (bits || dtype.bits() == 64));
  }

  /** One element, by its index along each axis. */
  double doubleAt(long... index) {
    return readDouble(tensor.dtype(), offsetOf(index));
  }

  /** One element of a whole type, by its index along each axis. */
  long longAt(long... index) {
    requireWhole(tensor.dtype());
    return readLong(tensor.dtype(), offsetOf(index));
  }

  private long offsetOf(long... index) {
    Shape shape = tensor.shape();
    boolean inside = index.length == shape.rank();
    long offset = 0;
    for (int axis = 0; inside && axis < index.length; axis++) {
      inside = index[axis] >= 0 && index[axis] < shape.dim(axis);
      offset += inside ? index[axis] * tensor.stride(axis) : 0;
    }
    if (!inside) {
      throw new CallException(
          ErrorKind.INDEX, "index " + Arrays.toString(index) + " is outside of shape " + shape);
    }
    return tensor.byteOffset() + offset * tensor.dtype().elementByteSize();
  }

  private static void requireWhole(DType dtype) {
    if (dtype.isFloat()) {
      throw new CallException(
          ErrorKind.TYPE, "elements of " + dtype + " are no integers; read them as doubles");
    }
  }

  private Strides.Cursor cursor() {
    return new Strides.Cursor(tensor.shape(), tensor.strides(), tensor.dtype().elementByteSize());
  }

  private double readDouble(DType dtype, long at) {
    if (dtype.equals(DType.FLOAT32)) {
      return Float.intBitsToFloat(memory.get(INT, at));
    }
    if (dtype.equals(DType.FLOAT64)) {
      return Double.longBitsToDouble(memory.get(LONG, at));
    }
    if (dtype.equals(DType.FLOAT16)) {
      return Float.float16ToFloat(memory.get(SHORT, at));
    }
    if (dtype.equals(DType.BFLOAT16)) {
      return Float.intBitsToFloat(memory.get(SHORT, at) << 16);
    }
    Optional<Float8> small = Float8.of(dtype);
    if (small.isPresent()) {
      return small.get().toFloat(memory.get(ValueLayout.JAVA_BYTE, at));
    }
    if (dtype.equals(DType.UINT64)) {
      long bits = memory.get(LONG, at);
      return bits >= 0 ? bits : (double) ((bits >>> 1) | (bits & 1)) * 2;
    }
    return (double) readLong(dtype, at);
  }

  private long readLong(DType dtype, long at) {
    boolean unsigned = dtype.code() != TypeCode.INT;
    boolean readable = dtype.lanes() == 1 && (dtype.isInteger() || dtype.code() == TypeCode.BOOL);
    if (readable) {
      switch (dtype.bits()) {
        case 8 -> {
          byte value = memory.get(ValueLayout.JAVA_BYTE, at);
          return unsigned ? value & 0xFF : value;
        }
        case 16 -> {
          short value = memory.get(SHORT, at);
          return unsigned ? value & 0xFFFF : value;
        }
        case 32 -> {
          int value = memory.get(INT, at);
          return unsigned ? value & 0xFFFFFFFFL : value;
        }
        case 64 -> {
          return memory.get(LONG, at);
        }
        default -> {}
      }
    }
    throw new CallException(
        ErrorKind.TYPE, "elements of " + dtype + " cannot be read as numbers; use segment()");
  }

  /** Sets all elements. */
  static void fill(Tensor tensor, double value) {
    DType dtype = tensor.dtype();
    byte[] element = bytesOf(dtype, value);
    MemorySegment elements = tensor.segment(); // refuses closed tensors and other devices
    tensor.requireWritable();
    MemorySegment one = MemorySegment.ofArray(element);
    if (tensor.isContiguous()) {
      fillCompact(elements, one);
      return;
    }
    MemorySegment all = HostDevice.segmentOf(tensor.storage().memory());
    Strides.Cursor cursor = new Strides.Cursor(tensor.shape(), tensor.strides(), element.length);
    for (long i = tensor.elementCount(); i > 0; i--, cursor.advance()) {
      MemorySegment.copy(one, 0, all, tensor.byteOffset() + cursor.byteOffset(), element.length);
    }
  }

  /** Copies the filled part after itself, twice as much each time. */
  private static void fillCompact(MemorySegment elements, MemorySegment one) {
    long end = elements.byteSize();
    if (end == 0) {
      return;
    }
    MemorySegment.copy(one, 0, elements, 0, one.byteSize());
    for (long filled = one.byteSize(); filled < end; filled *= 2) {
      MemorySegment.copy(elements, 0, elements, filled, Math.min(filled, end - filled));
    }
  }

  private static byte[] bytesOf(DType dtype, double value) {
    long bits = bitsOf(dtype, value);
    byte[] eight = new byte[8];
    MemorySegment.ofArray(eight)
        .set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0, bits);
    return Arrays.copyOf(eight, dtype.elementByteSize());
  }

  private static long bitsOf(DType dtype, double value) {
    if (dtype.equals(DType.FLOAT32)) {
      return Float.floatToRawIntBits((float) value);
    }
    if (dtype.equals(DType.FLOAT64)) {
      return Double.doubleToRawLongBits(value);
    }
    if (dtype.equals(DType.FLOAT16)) {
      return Float.floatToFloat16((float) value);
    }
    if (dtype.equals(DType.BFLOAT16)) {
      return bfloat16((float) value);
    }
    Optional<Float8> small = Float8.of(dtype);
    if (small.isPresent()) {
      return small.get().ofFloat((float) value);
    }
    if (dtype.equals(DType.BOOL)) {
      return value != 0 ? 1 : 0;
    }
    boolean whole =
        dtype.isInteger()
            && dtype.isByteAligned()
            && dtype.bits() <= 64
            && value == Math.rint(value);
    if (whole && isInRange(dtype, value)) {
      // Beyond 2^63 a cast to long saturates.
      return value < 0x1p63 ? (long) value : (long) (value - 0x1p63) + Long.MIN_VALUE;
    }
    throw new CallException(
        ErrorKind.VALUE, "elements of " + dtype + " cannot hold the value " + value);
  }

  private static boolean isInRange(DType dtype, double value) {
    boolean signed = dtype.code() == TypeCode.INT;
    double top = Math.scalb(1.0, signed ? dtype.bits() - 1 : dtype.bits());
    return value < top && value >= (signed ? -top : 0);
  }

  /** Rounds to nearest, ties to even; not-a-number stays one. */
  private static int bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (bits >>> 16) | 0x40;
    }
    return (bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16;
  }
}
