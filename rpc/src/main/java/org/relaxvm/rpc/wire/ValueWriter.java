package org.relaxvm.rpc.wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/**
 * Writes packed sequences: the values that {@link ValueReader} reads. Text in calls and results is
 * {@link TypeIndex#RAW_STRING}.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 3.
 */
public final class ValueWriter {
  private final PacketOutput out;

  /** Writes values into the packets of an output. */
  public ValueWriter(PacketOutput out) {
    this.out = out;
  }

  /** The arguments of a call or of a system call; bytes are objects. */
  public void writeArguments(@Nullable Object... values) {
    out.putInt(values.length);
    for (Object value : values) {
      writeArgument(value);
    }
  }

  private void writeArgument(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      writeBytesObject(bytes);
    } else {
      writeValue(value);
    }
  }

  /**
   * The arguments of a call whose last one is bytes, which the caller sends after this.
   *
   * @param size the number of those bytes
   */
  public void writeArgumentsBeforeBytes(long size, @Nullable Object... values) {
    out.putInt(values.length + 1);
    for (Object value : values) {
      writeArgument(value);
    }
    writeBytesType(size);
    out.putLong(size);
  }

  /** The arguments of a session constructor: text is an object there, too. */
  public void writeConstructorArguments(@Nullable Object... values) {
    out.putInt(values.length);
    for (Object value : values) {
      switch (value) {
        case byte[] bytes -> writeBytesObject(bytes);
        case String text -> writeStringObject(text);
        case null, default -> writeValue(value);
      }
    }
  }

  /**
   * The values of a result: bytes are {@link TypeIndex#BYTE_ARRAY}.
   *
   * @return bytes with which the packet ends, so that large ones are not copied; may be none
   */
  public MemorySegment writeResults(@Nullable Object... values) {
    out.putInt(values.length);
    MemorySegment last = MemorySegment.NULL;
    for (int i = 0; i < values.length; i++) {
      if (!(values[i] instanceof byte[] bytes)) {
        writeValue(values[i]);
      } else {
        out.putInt(TypeIndex.BYTE_ARRAY);
        if (i < values.length - 1) {
          out.putBytes(bytes);
        } else {
          out.putLong(bytes.length);
          last = MemorySegment.ofArray(bytes);
        }
      }
    }
    return last;
  }

  private void writeValue(@Nullable Object value) {
    switch (value) {
      case null -> out.putInt(TypeIndex.NONE);
      case Long number -> write(TypeIndex.INT, number);
      case Integer number -> write(TypeIndex.INT, number);
      case Boolean bool -> write(TypeIndex.BOOL, bool ? 1 : 0);
      case Double number -> write(TypeIndex.FLOAT, Double.doubleToRawLongBits(number));
      case OpaquePointer pointer -> write(TypeIndex.OPAQUE_POINTER, pointer.value());
      case DType dtype -> {
        out.putInt(TypeIndex.DATA_TYPE);
        writeDType(dtype);
        out.putInt(0);
      }
      case WireDevice device -> {
        out.putInt(TypeIndex.DEVICE);
        writeDevice(device);
      }
      case TensorView tensor -> {
        out.putInt(TypeIndex.TENSOR_VIEW);
        writeTensor(tensor);
      }
      case String text -> {
        out.putInt(TypeIndex.RAW_STRING);
        out.putText(text);
      }
      case ObjectHandle object -> {
        out.putInt(object.typeIndex());
        if (object.typeIndex() == TypeIndex.REMOTE_OBJECT) {
          out.putInt(TypeIndex.REMOTE_OBJECT);
        }
        out.putLong(object.handle());
      }
      default ->
          throw new IllegalArgumentException("no value of the protocol: " + value.getClass());
    }
  }

  private void write(int type, long bits) {
    out.putInt(type);
    out.putLong(bits);
  }

  private void writeStringObject(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length <= TypeIndex.SMALL_BYTES ? TypeIndex.SMALL_STRING : TypeIndex.STRING);
    out.putInt(TypeIndex.STRING);
    out.putBytes(bytes);
  }

  private void writeBytesObject(byte[] bytes) {
    writeBytesType(bytes.length);
    out.putBytes(bytes);
  }

  private void writeBytesType(long size) {
    out.putInt(size <= TypeIndex.SMALL_BYTES ? TypeIndex.SMALL_BYTES_OBJECT : TypeIndex.BYTES);
    out.putInt(TypeIndex.BYTES);
  }

  private void writeDType(DType dtype) {
    out.putByte(dtype.code().code());
    out.putByte(dtype.bits());
    out.putShort(dtype.lanes());
  }

  private void writeDevice(WireDevice device) {
    out.putInt(device.type());
    out.putInt(device.id());
  }

  /** A tensor view without a type index in front of it, as copies have it. */
  public void writeTensor(TensorView tensor) {
    out.putLong(tensor.data());
    writeDevice(tensor.device());
    Shape shape = tensor.shape();
    out.putInt(shape.rank());
    writeDType(tensor.dtype());
    for (int i = 0; i < shape.rank(); i++) {
      out.putLong(shape.dim(i));
    }
    out.putLong(tensor.byteOffset());
  }
}
