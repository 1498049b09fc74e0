package org.relaxvm.api;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.Consumer;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.DeferredMemory;
import org.relaxvm.api.host.HostDevice;

/** Tensors in host memory: making them from Java data and reading their elements. */
final class HostTensors {
  private HostTensors() {}

  static Tensor zeros(DType dtype, Shape shape) {
    long bytes = dtype.byteSize(shape.elementCount());
    MemorySegment memory = HostDevice.allocateNative(Arena.ofAuto(), bytes, HostDevice.ALIGNMENT);
    return Tensor.wrap(memory, dtype, shape);
  }

  static Tensor deferred(DType dtype, Shape shape, Consumer<? super MemorySegment> fill) {
    long bytes = dtype.byteSize(shape.elementCount());
    DeferredMemory memory = new DeferredMemory(bytes, fill);
    Storage storage = new Storage(HostDevice.INSTANCE, memory, bytes, "", null, null);
    try {
      return Tensor.view(storage, 0, dtype, shape);
    } finally {
      storage.release();
    }
  }

  static Tensor copyOf(MemorySegment values, DType dtype, Shape shape) {
    long bytes = dtype.byteSize(shape.elementCount());
    if (values.byteSize() != bytes && !dtype.isByteAligned()) {
      throw wrongByteCount(dtype, shape, values.byteSize());
    }
    if (values.byteSize() != bytes) {
      long given = values.byteSize() / dtype.elementByteSize();
      throw new CallException(
          ErrorKind.VALUE,
          "shape "
              + shape
              + " has "
              + shape.elementCount()
              + " elements, but the array has "
              + given);
    }
    Tensor tensor = zeros(dtype, shape);
    MemorySegment.copy(values, 0, tensor.segment(), 0, bytes);
    return tensor;
  }

  /** A tensor with the bytes of its elements as they are. */
  static Tensor copyOfBytes(byte[] bytes, DType dtype, Shape shape) {
    if (bytes.length != dtype.byteSize(shape.elementCount())) {
      throw wrongByteCount(dtype, shape, bytes.length);
    }
    return copyOf(MemorySegment.ofArray(bytes), dtype, shape);
  }

  private static CallException wrongByteCount(DType dtype, Shape shape, long given) {
    return new CallException(
        ErrorKind.VALUE,
        "shape "
            + shape
            + " of "
            + dtype
            + " needs "
            + dtype.byteSize(shape.elementCount())
            + " bytes, but the array has "
            + given);
  }

  static float[] toFloatArray(Tensor tensor) {
    float[] values = new float[arrayLength(tensor)];
    if (tensor.dtype().equals(DType.FLOAT32)) {
      copyOut(tensor, MemorySegment.ofArray(values));
      return values;
    }
    Elements.of(tensor).forEachDouble((i, value) -> values[i] = (float) value);
    // Its memory must not be given back while it is read, even if this is the tensor's last use.
    Reference.reachabilityFence(tensor);
    return values;
  }

  static double[] toDoubleArray(Tensor tensor) {
    double[] values = new double[arrayLength(tensor)];
    if (tensor.dtype().equals(DType.FLOAT64)) {
      copyOut(tensor, MemorySegment.ofArray(values));
      return values;
    }
    Elements.of(tensor).forEachDouble((i, value) -> values[i] = value);
    Reference.reachabilityFence(tensor);
    return values;
  }

  static long[] toLongArray(Tensor tensor) {
    long[] values = new long[arrayLength(tensor)];
    if (tensor.dtype().equals(DType.INT64) || tensor.dtype().equals(DType.UINT64)) {
      copyOut(tensor, MemorySegment.ofArray(values));
      return values;
    }
    Elements.of(tensor).forEachLong((i, value) -> values[i] = value);
    Reference.reachabilityFence(tensor);
    return values;
  }

  /** Copies the elements as they are, row-major, into an array of the same element type. */
  private static void copyOut(Tensor tensor, MemorySegment array) {
    Tensor compact =
        tensor.device().isHost() && tensor.isContiguous() ? tensor : TensorCopies.toHost(tensor);
    MemorySegment.copy(compact.segment(), 0, array, 0, array.byteSize());
  }

  private static int arrayLength(Tensor tensor) {
    long count = tensor.elementCount();
    if (count > Integer.MAX_VALUE - 8) {
      throw new CallException(
          ErrorKind.VALUE,
          "a tensor of " + count + " elements does not fit a Java array; use segment()");
    }
    return (int) count;
  }

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
