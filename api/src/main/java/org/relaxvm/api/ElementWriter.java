package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Writes elements of a host tensor, whatever its dtype. */
final class ElementWriter {
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private ElementWriter() {}

  /** Sets all elements. */
  static void fill(Tensor tensor, double value) {
    DType dtype = tensor.dtype();
    byte[] element = bytesOf(dtype, value);
    MemorySegment elements = tensor.segment(); // refuses closed tensors and other devices
    MemorySegment one = MemorySegment.ofArray(element);
    if (tensor.isContiguous()) {
      fillCompact(elements, one);
      return;
    }
    MemorySegment all = HostDevice.segmentOf(tensor.storage().memory());
    StridedCursor cursor = new StridedCursor(tensor.shape(), tensor.strides(), element.length);
    for (long i = tensor.elementCount(); i > 0; i--, cursor.advance()) {
      MemorySegment.copy(one, 0, all, tensor.byteOffset() + cursor.byteOffset(), element.length);
    }
  }

  /** Copies what is filled behind itself, twice as much each time. */
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
    MemorySegment.ofArray(eight).set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ORDER), 0, bits);
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
