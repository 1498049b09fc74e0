package org.relaxvm.interoptvm.abi;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Shape;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A tensor as compiled code sees it: 48 bytes, its extents and its strides.
 * docs/spec/native-library.md, section 2.2.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why do compact tensors have strides?"
 */
public final class DlTensor {
  /** Bytes of the structure without extents and strides. */
  public static final int BYTES = 48;

  /** Bytes of an extent and a stride. */
  public static final long AXIS_BYTES = 16;

  /** Most tensors have no more. */
  public static final int FEW_AXES = 4;

  /** Bytes of the structure with the extents and strides of few axes. */
  public static final int FEW_AXES_BYTES = BYTES + 16 * FEW_AXES;

  private static final int STRIDES_OF_FEW = BYTES + 8 * FEW_AXES;

  private static final int DATA = 0;
  private static final int DEVICE_TYPE = 8;
  private static final int RANK = 16;
  private static final int DTYPE = 20;
  private static final int SHAPE = 24;
  private static final int STRIDES = 32;
  private static final int BYTE_OFFSET = 40;
  private static final int MOST_AXES = 64;
  private static final int BOOL_WORD = word(DType.BOOL);
  private static final int OLD_BOOL_WORD = word(new DType(TypeCode.UINT, 1, 1));
  private static final long CPU = DeviceTypeCodes.codeOf("cpu");

  private DlTensor() {}

  /**
   * Writes a compact tensor on the host.
   *
   * @param address of the structure
   * @param extents where to write the extents and the strides: {@link #AXIS_BYTES} per axis
   * @param data address of the first element
   */
  public static void put(long address, long extents, long data, DType dtype, Shape shape) {
    put(address, extents, data, CPU, dtype, shape);
  }

  /** The same on a device, where {@code data} is what its kernels are given. */
  public static void put(
      long address, long extents, long data, DeviceId device, DType dtype, Shape shape) {
    put(address, extents, data, device.typeCode() | (long) device.ordinal() << 32, dtype, shape);
  }

  private static void put(
      long address, long extents, long data, long device, DType dtype, Shape shape) {
    int rank = shape.rank();
    long strides = extents + 8L * rank;
    long stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
      RawMemory.putLong(extents + 8L * i, shape.dim(i));
      RawMemory.putLong(strides + 8L * i, stride);
      stride *= shape.dim(i);
    }
    // A slice of constant size: the offsets in it need no checks of their own.
    put(RawMemory.segment(address, BYTES), extents, strides, data, device, dtype, rank);
  }

  private static void put(
      MemorySegment tensor,
      long extents,
      long strides,
      long data,
      long device,
      DType dtype,
      int rank) {
    tensor.set(JAVA_LONG_UNALIGNED, DATA, data);
    tensor.set(JAVA_LONG_UNALIGNED, DEVICE_TYPE, device);
    tensor.set(JAVA_LONG_UNALIGNED, RANK, rank | (long) word(dtype) << 32);
    tensor.set(JAVA_LONG_UNALIGNED, SHAPE, extents);
    tensor.set(JAVA_LONG_UNALIGNED, STRIDES, strides);
    tensor.set(JAVA_LONG_UNALIGNED, BYTE_OFFSET, 0);
  }

  /**
   * Writes a compact tensor of up to {@link #FEW_AXES} axes on the host, its extents and its
   * strides right after it: faster than {@link #put}.
   *
   * @param address of {@link #FEW_AXES_BYTES}
   * @param data address of the first element
   */
  public static void putOfFewAxes(long address, long data, DType dtype, Shape shape) {
    int rank = shape.rank();
    MemorySegment tensor = RawMemory.segment(address, FEW_AXES_BYTES);
    put(tensor, address + BYTES, address + STRIDES_OF_FEW, data, CPU, dtype, rank);
    long stride = 1;
    // No loop: to set one up would take longer than to run it.
    if (rank > 3) {
      long extent = shape.dim(3);
      tensor.set(JAVA_LONG_UNALIGNED, BYTES + 24, extent);
      tensor.set(JAVA_LONG_UNALIGNED, STRIDES_OF_FEW + 24, stride);
      stride = extent;
    }
    if (rank > 2) {
      long extent = shape.dim(2);
      tensor.set(JAVA_LONG_UNALIGNED, BYTES + 16, extent);
      tensor.set(JAVA_LONG_UNALIGNED, STRIDES_OF_FEW + 16, stride);
      stride *= extent;
    }
    if (rank > 1) {
      long extent = shape.dim(1);
      tensor.set(JAVA_LONG_UNALIGNED, BYTES + 8, extent);
      tensor.set(JAVA_LONG_UNALIGNED, STRIDES_OF_FEW + 8, stride);
      stride *= extent;
    }
    if (rank > 0) {
      tensor.set(JAVA_LONG_UNALIGNED, BYTES, shape.dim(0));
      tensor.set(JAVA_LONG_UNALIGNED, STRIDES_OF_FEW, stride);
    }
  }

  /** Writes what compiled code refuses instead of reading it, since it has no tensor's rank. */
  public static void putNone(long address) {
    for (int i = 0; i < BYTES; i += 8) {
      RawMemory.putLong(address + i, 0);
    }
    RawMemory.putInt(address + RANK, -1);
  }

  /** A dtype as four bytes: code, bits and two of lanes. */
  public static int word(DType dtype) {
    return dtype.code().code() | dtype.bits() << 8 | dtype.lanes() << 16;
  }

  /** A dtype as releases up to 0.20 write it: a boolean is an unsigned integer of one bit. */
  public static int oldWord(int word) {
    return word == BOOL_WORD ? OLD_BOOL_WORD : word;
  }

  /** Makes the dtype of a tensor one of releases up to 0.20; returns its address. */
  public static long withOldBool(long address) {
    int word = RawMemory.getInt(address + DTYPE);
    if (word == BOOL_WORD) {
      RawMemory.putInt(address + DTYPE, OLD_BOOL_WORD);
    }
    return address;
  }

  /** The dtype of four bytes; the boolean of releases up to 0.20 is one. */
  public static DType dtype(int word) {
    if (word == OLD_BOOL_WORD) {
      return DType.BOOL;
    }
    int code = word & 0xFF;
    TypeCode family =
        TypeCode.of(code)
            .orElseThrow(
                () ->
                    new CallException(
                        ErrorKind.VALUE,
                        "compiled code passed the unknown data type code " + code));
    return new DType(family, word >>> 8 & 0xFF, (short) (word >>> 16));
  }

  /** The kind of device that holds the elements. */
  public static int deviceType(long address) {
    return RawMemory.getInt(address + DEVICE_TYPE);
  }

  /** The element type. */
  public static DType dtypeOf(long address) {
    return dtype(RawMemory.getInt(address + DTYPE));
  }

  /** The extents. */
  public static Shape shapeOf(long address) {
    return Shape.ofOwned(words(RawMemory.getLong(address + SHAPE), rank(address)));
  }

  /** The strides in elements; empty when the tensor is compact. */
  public static long[] stridesOf(long address) {
    long strides = RawMemory.getLong(address + STRIDES);
    if (strides == 0) {
      return new long[0];
    }
    int rank = rank(address);
    long extents = RawMemory.getLong(address + SHAPE);
    long compact = 1;
    for (int i = rank - 1; i >= 0; i--) {
      long extent = RawMemory.getLong(extents + 8L * i);
      if (extent != 1 && RawMemory.getLong(strides + 8L * i) != compact) {
        return words(strides, rank);
      }
      compact *= extent;
    }
    return new long[0];
  }

  /** Whether it says where its elements are; one without elements need not. */
  public static boolean hasData(long address) {
    return RawMemory.getLong(address + DATA) != 0;
  }

  /** Address of the first element. */
  public static long dataOf(long address) {
    return RawMemory.getLong(address + DATA) + RawMemory.getLong(address + BYTE_OFFSET);
  }

  private static int rank(long address) {
    int rank = RawMemory.getInt(address + RANK);
    if (rank < 0 || rank > MOST_AXES) {
      throw new CallException(
          ErrorKind.VALUE, "compiled code passed a tensor of " + rank + " axes: 0 to 64 expected");
    }
    return rank;
  }

  private static long[] words(long address, int count) {
    long[] words = new long[count];
    for (int i = 0; i < count; i++) {
      words[i] = RawMemory.getLong(address + 8L * i);
    }
    return words;
  }
}
