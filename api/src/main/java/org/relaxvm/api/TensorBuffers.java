package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Tensors over {@code java.nio} buffers. */
final class TensorBuffers {
  private TensorBuffers() {}

  static Tensor wrap(Buffer buffer, Shape shape) {
    DType dtype =
        switch (buffer) {
          case ByteBuffer _ -> DType.INT8;
          case ShortBuffer _ -> DType.INT16;
          case IntBuffer _ -> DType.INT32;
          case LongBuffer _ -> DType.INT64;
          case FloatBuffer _ -> DType.FLOAT32;
          case DoubleBuffer _ -> DType.FLOAT64;
          case CharBuffer _ ->
              throw new CallException(
                  ErrorKind.TYPE, "a tensor has no characters: wrap a buffer of numbers");
        };
    if (!order(buffer).equals(ByteOrder.LITTLE_ENDIAN)) {
      throw new CallException(
          ErrorKind.VALUE,
          "the buffer is big endian, but tensors are little endian: call"
              + " order(ByteOrder.LITTLE_ENDIAN) on the byte buffer before making a view of it");
    }
    if (buffer.remaining() != shape.elementCount()) {
      throw new CallException(
          ErrorKind.VALUE,
          "shape "
              + shape
              + " has "
              + shape.elementCount()
              + " elements, but the buffer has "
              + buffer.remaining()
              + " remaining");
    }
    return Tensor.wrap(MemorySegment.ofBuffer(buffer), dtype, shape);
  }

  private static ByteOrder order(Buffer buffer) {
    return switch (buffer) {
      case ShortBuffer shorts -> shorts.order();
      case IntBuffer ints -> ints.order();
      case LongBuffer longs -> longs.order();
      case FloatBuffer floats -> floats.order();
      case DoubleBuffer doubles -> doubles.order();
      // Single bytes have no order.
      case ByteBuffer _, CharBuffer _ -> ByteOrder.LITTLE_ENDIAN;
    };
  }
}
