package org.relaxvm.api.io;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

/** The elements of a {@code .npy} file. */
final class NpyData {
  private static final int CHUNK = 1 << 16;

  private NpyData() {}

  /** Fills memory with the elements as the file has them. */
  interface Filler {
    void fill(MemorySegment target) throws IOException;
  }

  /** Copies the elements of a whole file into a compact tensor in host memory. */
  static Tensor read(MemorySegment bytes, NpyHeader header, @Nullable DType wanted, NpySource where)
      throws IOException {
    return read(
        header,
        wanted,
        bytes.byteSize() - header.dataOffset(),
        where,
        target -> MemorySegment.copy(bytes, header.dataOffset(), target, 0, target.byteSize()));
  }

  /**
   * Makes a compact tensor in host memory.
   *
   * @param present bytes that follow the header
   */
  static Tensor read(
      NpyHeader header, @Nullable DType wanted, long present, NpySource where, Filler filler)
      throws IOException {
    DType dtype = header.type().dtype(wanted, where);
    requirePromised(header, dtype, present, where);
    Tensor tensor = Tensor.zeros(dtype, stored(header));
    filler.fill(tensor.segment());
    swapIfNeeded(tensor.segment(), header);
    return compactOnHost(inRowMajorOrder(tensor, header));
  }

  /** A tensor over the elements as they are. */
  static Tensor wrap(MemorySegment bytes, NpyHeader header, NpySource where) {
    DType dtype = header.type().dtype(null, where);
    requirePromised(header, dtype, bytes.byteSize() - header.dataOffset(), where);
    MemorySegment elements = bytes.asSlice(header.dataOffset());
    if (isSwapped(header)) {
      throw where.unsupported("its elements are big endian and cannot be mapped; read the file");
    }
    if (header.dataOffset() % header.type().unitByteSize() != 0) {
      throw where.unsupported(
          "its elements start at byte "
              + header.dataOffset()
              + " and cannot be mapped as "
              + dtype
              + "; read the file");
    }
    return inRowMajorOrder(Tensor.wrap(elements, dtype, stored(header)), header);
  }

  /** A tensor in host memory, compact; the tensor itself when it is so already. */
  static Tensor compactOnHost(Tensor tensor) {
    return tensor.device().isHost() && tensor.isContiguous() ? tensor : tensor.toHost();
  }

  static void write(Tensor host, OutputStream out) throws IOException {
    MemorySegment elements = host.segment();
    byte[] chunk = new byte[(int) Math.min(CHUNK, elements.byteSize())];
    for (long at = 0; at < elements.byteSize(); at += chunk.length) {
      int length = (int) Math.min(chunk.length, elements.byteSize() - at);
      MemorySegment.copy(elements, ValueLayout.JAVA_BYTE, at, chunk, 0, length);
      out.write(chunk, 0, length);
    }
    Reference.reachabilityFence(host);
  }

  private static void requirePromised(
      NpyHeader header, DType dtype, long present, NpySource where) {
    long promised;
    try {
      promised = dtype.byteSize(header.shape().elementCount());
    } catch (CallException e) {
      throw where.malformed(
          "its shape " + header.shape() + " of " + dtype + " has more than 2^63-1 bytes");
    }
    if (present != promised) {
      throw where.malformed(
          "its shape "
              + header.shape()
              + " of "
              + dtype
              + " needs "
              + promised
              + " bytes of elements, but "
              + present
              + " follow the header; the file is "
              + (present < promised ? "truncated" : "longer than it should be"));
    }
  }

  /** The shape in the order of the file: the axes of a column-major array come last first. */
  private static Shape stored(NpyHeader header) {
    if (!header.columnMajor()) {
      return header.shape();
    }
    int rank = header.shape().rank();
    long[] dims = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      dims[axis] = header.shape().dim(rank - 1 - axis);
    }
    return Shape.of(dims);
  }

  private static Tensor inRowMajorOrder(Tensor stored, NpyHeader header) {
    int rank = header.shape().rank();
    if (!header.columnMajor() || rank < 2) {
      return stored;
    }
    int[] axes = new int[rank];
    for (int axis = 0; axis < rank; axis++) {
      axes[axis] = rank - 1 - axis;
    }
    return stored.permute(axes);
  }

  private static boolean isSwapped(NpyHeader header) {
    return header.type().order() == '>' && header.type().unitByteSize() > 1;
  }

  private static void swapIfNeeded(MemorySegment elements, NpyHeader header) {
    // Bare bytes have no order that is known; what NumPy wrote for them is left as it is.
    if (isSwapped(header) && header.type().kind() != 'V') {
      ByteSwap.inPlace(elements, header.type().unitByteSize());
    }
  }
}
