package org.relaxvm.vmcore.binary;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.host.HostDevice;

/** The binary form of a tensor. Source: docs/spec/executable-format.md, section 3. */
public final class TensorBlob {
  private static final long MAGIC = 0xDD5E40F096B4A13FL;
  private static final int CPU = 1;
  private static final int MAX_RANK = 64;
  private static final DType OLD_BOOL = new DType(TypeCode.UINT, 1, 1);
  private static final FormatProblem BAD_FORMAT =
      new FormatProblem("malformed tensor", "Invalid DLTensor file format");
  private static final FormatProblem BAD_DEVICE =
      new FormatProblem(
          "a stored tensor must be one of the CPU",
          "Invalid DLTensor device: can only save as CPU tensor");

  private TensorBlob() {}

  /**
   * Reads a tensor. Elements that lie in native memory on a boundary of 64 bytes are used where
   * they are, others are copied; either way the tensor's segment is read-only.
   *
   * @param copies the memory of copied elements
   */
  public static Tensor read(ByteCursor in, Arena copies) {
    FormatProblem before = in.problem(BAD_FORMAT);
    long start = in.position();
    long magic = in.i64("tensor magic");
    if (magic != MAGIC) {
      throw in.fail(start, "tensor magic", hex(MAGIC), hex(magic), ByteCursor.DAMAGED);
    }
    in.i64("tensor reserved word");
    readDevice(in);
    long rankAt = in.position();
    int rank = in.i32("tensor rank");
    if (rank < 0 || rank > MAX_RANK) {
      throw in.fail(
          rankAt, "tensor rank", "0 to " + MAX_RANK, Integer.toString(rank), ByteCursor.DAMAGED);
    }
    DType dtype = readDType(in);
    Shape shape = Shape.ofOwned(in.longs(rank, "tensor shape"));
    long byteSize = readByteSize(in, dtype, shape);
    MemorySegment data = in.slice(byteSize, "tensor data");
    in.problem(before);
    return Tensor.wrap(readOnly(data, copies), dtype, shape);
  }

  /**
   * Reads a data type: code, bits, lanes. Releases up to 0.21 had an unsigned integer of one bit,
   * which takes a byte in memory, for booleans: it is read as a boolean.
   *
   * @throws org.relaxvm.api.error.MalformedFileException when the code is unknown
   */
  public static DType readDType(ByteCursor in) {
    long at = in.position();
    int code = in.u8("data type code");
    int bits = in.u8("data type bits");
    short lanes = (short) (in.u8("data type lanes") | in.u8("data type lanes") << 8);
    TypeCode typeCode =
        TypeCode.of(code)
            .orElseThrow(
                () ->
                    in.fail(
                        at,
                        "data type code",
                        "0 to " + (TypeCode.values().length - 1),
                        Integer.toString(code),
                        code >= 129
                            ? "custom data types are not supported: cast to a standard one"
                            : ByteCursor.DAMAGED));
    DType dtype = new DType(typeCode, bits, lanes);
    return dtype.equals(OLD_BOOL) ? DType.BOOL : dtype;
  }

  /** Writes a data type. */
  public static void writeDType(ByteSink out, DType dtype) throws IOException {
    out.u8(dtype.code().code());
    out.u8(dtype.bits());
    out.u16(dtype.lanes());
  }

  /**
   * Writes a tensor; one on a device is copied to the host, a strided one is compacted.
   *
   * @throws InvalidProgramException a {@code ValueError} for dtypes that the format cannot hold
   */
  public static void write(ByteSink out, Tensor tensor) throws IOException {
    DType dtype = tensor.dtype();
    long count = tensor.elementCount();
    if (dtype.lanes() != 1
        || dtype.bits() == 0
        || dtype.byteSize(count) != fileSize(dtype, count)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a tensor "
              + dtype
              + tensor.shape()
              + " cannot be saved: the format stores whole bytes per element and no lanes");
    }
    out.i64(MAGIC);
    out.i64(0);
    out.i32(CPU);
    out.i32(0);
    out.i32(tensor.shape().rank());
    writeDType(out, dtype);
    for (long dim : tensor.shape().toArray()) {
      out.i64(dim);
    }
    out.i64(tensor.byteSize());
    boolean plain = tensor.device().isHost() && tensor.isContiguous();
    out.segment((plain ? tensor : tensor.toHost()).segment());
  }

  private static void readDevice(ByteCursor in) {
    in.problem(BAD_FORMAT);
    long at = in.position();
    int device = in.i32("tensor device type");
    if (device != CPU) {
      in.problem(BAD_DEVICE);
      throw in.fail(
          at,
          "tensor device type",
          "1 (cpu)",
          Integer.toString(device),
          "copy the tensor to the CPU before saving");
    }
    in.i32("tensor device id");
  }

  private static long readByteSize(ByteCursor in, DType dtype, Shape shape) {
    long at = in.position();
    for (int axis = 0; axis < shape.rank(); axis++) {
      if (shape.dim(axis) < 0) {
        long dimAt = at - 8L * (shape.rank() - axis);
        throw in.fail(
            dimAt,
            "tensor shape, axis " + axis,
            "0 or more",
            Long.toString(shape.dim(axis)),
            ByteCursor.DAMAGED);
      }
    }
    if (dtype.lanes() != 1 || dtype.bits() == 0) {
      throw in.fail(
          at,
          "tensor data type",
          "1 lane of 1 or more bits",
          dtype.lanes() + " lanes of " + dtype.bits() + " bits",
          "the format has no defined layout for it: save the tensor with another data type");
    }
    long declared = in.i64("tensor byte size");
    long limit = Long.MAX_VALUE / 256;
    long count = boundedCount(shape, limit);
    if (count > limit || declared != fileSize(dtype, count)) {
      throw in.fail(
          at,
          "tensor byte size",
          count > limit
              ? "a shape of fewer elements"
              : fileSize(dtype, count) + " for " + dtype + shape,
          count > limit ? shape.toString() : Long.toString(declared),
          ByteCursor.DAMAGED);
    }
    if (dtype.byteSize(count) != declared) {
      throw in.fail(
          at,
          "tensor byte size",
          dtype.byteSize(count) + " bytes in memory for " + dtype + shape,
          declared + " bytes in the file",
          "data types below one byte cannot be packed in this format: save the tensor as int8");
    }
    return declared;
  }

  /** The number of elements, or more than {@code limit}. */
  private static long boundedCount(Shape shape, long limit) {
    long count = 1;
    boolean tooLarge = false;
    for (int axis = 0; axis < shape.rank(); axis++) {
      long dim = shape.dim(axis);
      if (dim == 0) {
        return 0;
      }
      tooLarge |= count > limit / dim;
      count = tooLarge ? 1 : count * dim;
    }
    return tooLarge ? limit + 1 : count;
  }

  private static long fileSize(DType dtype, long count) {
    return (dtype.bits() + 7) / 8 * count;
  }

  private static MemorySegment readOnly(MemorySegment data, Arena copies) {
    if (data.isNative() && data.address() % HostDevice.ALIGNMENT == 0) {
      return data.asReadOnly();
    }
    MemorySegment copy = HostDevice.allocateNative(copies, data.byteSize(), HostDevice.ALIGNMENT);
    return copy.copyFrom(data).asReadOnly();
  }

  private static String hex(long word) {
    return "0x" + Long.toHexString(word).toUpperCase(Locale.ROOT);
  }
}
