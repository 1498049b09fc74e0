package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Reads the elements of a host tensor, whatever its dtype, in row-major order. */
final class ElementReader {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Tensor tensor;
  private final MemorySegment memory;

  private ElementReader(Tensor tensor, MemorySegment memory) {
    this.tensor = tensor;
    this.memory = memory;
  }

  static ElementReader of(Tensor tensor) {
    Tensor host = tensor.device().isHost() ? tensor : tensor.toHost();
    host.requireLive();
    return new ElementReader(host, HostDevice.segmentOf(host.storage().memory()));
  }

  interface DoubleSink {
    void accept(int index, double value);
  }

  interface LongSink {
    void accept(int index, long value);
  }

  void forEachDouble(DoubleSink sink) {
    DType dtype = tensor.dtype();
    StridedCursor cursor = cursor();
    int count = (int) tensor.elementCount();
    for (int i = 0; i < count; i++, cursor.advance()) {
      sink.accept(i, readDouble(dtype, tensor.byteOffset() + cursor.byteOffset()));
    }
  }

  void forEachLong(LongSink sink) {
    DType dtype = tensor.dtype();
    requireWhole(dtype);
    StridedCursor cursor = cursor();
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

  private StridedCursor cursor() {
    return new StridedCursor(tensor.shape(), tensor.strides(), tensor.dtype().elementByteSize());
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
}
