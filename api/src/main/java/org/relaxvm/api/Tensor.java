package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.HostMemory;
import org.relaxvm.api.spi.Stream;

/**
 * A tensor: a typed, shaped view of a {@link Storage}, starting at a byte offset, row-major unless
 * it has strides. Rank 0 and extents of 0 are legal; sizes may exceed 2 GiB.
 *
 * <p><b>Ownership.</b> A tensor keeps its storage alive. Views share the storage and are closed on
 * their own. Tensors over Java data ({@code of(...)}) hold memory that the garbage collector
 * releases; tensors from an allocator hold memory that returns at the last close.
 *
 * <p><b>Access.</b> Elements are read and written on the host only, through {@link #segment()} or
 * the accessors; a tensor elsewhere is copied first ({@link #toHost()}).
 *
 * <p><b>Threads.</b> Shape and type never change, so reading them is safe from any thread. Elements
 * are plain memory: concurrent writers need their own order.
 */
public final class Tensor extends Managed {
  private final Storage storage;
  private final DType dtype;
  private final Shape shape;
  private final long @Nullable [] strides;
  private final long byteOffset;

  private Tensor(
      Storage storage, DType dtype, Shape shape, long @Nullable [] strides, long byteOffset) {
    this.storage = storage;
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides;
    this.byteOffset = byteOffset;
  }

  // After the tensor is made, so that the storage has no owner too many where memory ran out.
  private Tensor retainingStorage() {
    storage.retain();
    return this;
  }

  // ---------------------------------------------------------------- making tensors

  /** A tensor with the values of an array, which is copied; dtype float32. */
  public static Tensor of(float[] values, Shape shape) {
    return HostTensors.copyOf(MemorySegment.ofArray(values), DType.FLOAT32, shape);
  }

  /** A tensor with the values of an array, which is copied; dtype float64. */
  public static Tensor of(double[] values, Shape shape) {
    return HostTensors.copyOf(MemorySegment.ofArray(values), DType.FLOAT64, shape);
  }

  /** A tensor with the values of an array, which is copied; dtype int64. */
  public static Tensor of(long[] values, Shape shape) {
    return HostTensors.copyOf(MemorySegment.ofArray(values), DType.INT64, shape);
  }

  /** A tensor with the values of an array, which is copied; dtype int32. */
  public static Tensor of(int[] values, Shape shape) {
    return HostTensors.copyOf(MemorySegment.ofArray(values), DType.INT32, shape);
  }

  /** A tensor with the values of an array, which is copied; dtype int16. */
  public static Tensor of(short[] values, Shape shape) {
    return HostTensors.copyOf(MemorySegment.ofArray(values), DType.INT16, shape);
  }

  /** A tensor with the values of an array, which is copied; dtype int8. */
  public static Tensor of(byte[] values, Shape shape) {
    return HostTensors.copyOf(MemorySegment.ofArray(values), DType.INT8, shape);
  }

  /**
   * A tensor with the bytes of its elements, which are copied: row-major, little endian, for every
   * dtype, such as {@code uint8} or {@code bfloat16}.
   *
   * @throws CallException a {@code ValueError} when there are more or fewer bytes than elements
   *     need
   */
  public static Tensor of(byte[] elements, DType dtype, Shape shape) {
    return HostTensors.copyOfBytes(elements, dtype, shape);
  }

  /** A tensor with the values of an array, which is copied; dtype bool. */
  public static Tensor of(boolean[] values, Shape shape) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) (values[i] ? 1 : 0);
    }
    return HostTensors.copyOf(MemorySegment.ofArray(bytes), DType.BOOL, shape);
  }

  /** A scalar: rank 0, dtype float32. */
  public static Tensor scalar(float value) {
    return of(new float[] {value}, Shape.scalar());
  }

  /** A scalar: rank 0, dtype int64. */
  public static Tensor scalar(long value) {
    return of(new long[] {value}, Shape.scalar());
  }

  /** A host tensor of zeros. */
  public static Tensor zeros(DType dtype, Shape shape) {
    return HostTensors.zeros(dtype, shape);
  }

  /**
   * A host tensor, row-major and compact, whose memory is allocated and filled when it is first
   * used: a weight that is in a file. The memory ends with the last tensor over it; the limit of
   * the JVM for direct memory does not apply.
   *
   * @param fill writes the elements into zeroed memory of the size of the tensor, aligned to {@link
   *     HostDevice#ALIGNMENT}; called at most once, unless it throws, and in any thread
   */
  public static Tensor deferred(DType dtype, Shape shape, Consumer<? super MemorySegment> fill) {
    return HostTensors.deferred(dtype, shape, fill);
  }

  /**
   * A tensor over host memory without a copy: row-major and compact from the start of the segment.
   * The memory must stay valid as long as the tensor is used; writes go both ways. A heap segment
   * is accepted; kernels that need native memory copy it.
   *
   * @throws CallException a {@code ValueError} when the segment is smaller than the tensor
   */
  public static Tensor wrap(MemorySegment memory, DType dtype, Shape shape) {
    Storage storage =
        new Storage(HostDevice.INSTANCE, new HostMemory(memory), memory.byteSize(), "", null, null);
    try {
      return view(storage, 0, dtype, shape);
    } finally {
      storage.release();
    }
  }

  /**
   * A tensor over the remaining elements of a buffer without a copy; writes go both ways. The dtype
   * is that of the buffer's elements: a {@link java.nio.FloatBuffer} is float32, a {@link
   * java.nio.ByteBuffer} int8 (for bytes of another meaning, {@link #wrap(MemorySegment, DType,
   * Shape)} takes {@code MemorySegment.ofBuffer(buffer)}).
   *
   * @throws CallException a {@code ValueError} when the buffer has another number of elements or is
   *     big endian, a {@code TypeError} for a buffer of characters
   */
  public static Tensor wrap(Buffer buffer, Shape shape) {
    return HostTensors.wrap(buffer, shape);
  }

  /**
   * A compact, row-major view of a storage, which it retains.
   *
   * @param byteOffset first byte of the tensor in the storage
   * @throws CallException an {@code InternalError}, as in TVM, when the tensor does not fit
   */
  public static Tensor view(Storage storage, long byteOffset, DType dtype, Shape shape) {
    return viewTaking(storage, byteOffset, dtype, shape).retainingStorage();
  }

  /**
   * As {@link #view}, but the storage is not retained: the tensor takes over one owner of it from
   * the caller, unless the method throws.
   */
  public static Tensor viewTaking(Storage storage, long byteOffset, DType dtype, Shape shape) {
    long bytes = dtype.byteSize(shape.elementCount());
    if (byteOffset < 0 || bytes > storage.byteSize() - byteOffset) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "a tensor of "
                  + bytes
                  + " bytes at offset "
                  + byteOffset
                  + " does not fit a storage of "
                  + storage.byteSize()
                  + " bytes")
          .withTvmMessage(
              "storage allocation failure, attempted to allocate "
                  + bytes
                  + " at offset "
                  + byteOffset
                  + " in region that is "
                  + storage.byteSize()
                  + "bytes");
    }
    return new Tensor(storage, dtype, shape, null, byteOffset);
  }

  // ---------------------------------------------------------------- properties

  /** The element type. */
  public DType dtype() {
    return dtype;
  }

  /** The extents. */
  public Shape shape() {
    return shape;
  }

  /** The number of elements. */
  public long elementCount() {
    return shape.elementCount();
  }

  /** The bytes of the elements when compact. */
  public long byteSize() {
    return dtype.byteSize(shape.elementCount());
  }

  /** First byte of the first element in the storage. */
  public long byteOffset() {
    return byteOffset;
  }

  /** The storage, borrowed. */
  public Storage storage() {
    return storage;
  }

  /** The device that holds the elements. */
  public Device device() {
    return storage.device();
  }

  /** Distance between neighbours along each axis, in elements. */
  public long[] strides() {
    return strides != null ? strides.clone() : Strides.compact(shape);
  }

  /** Distance between neighbours along an axis, in elements. */
  public long stride(int axis) {
    return strides != null ? strides[axis] : Strides.compact(shape, axis);
  }

  /** Whether the elements lie row-major without gaps. */
  public boolean isContiguous() {
    return strides == null || Strides.isCompact(shape, strides);
  }

  /**
   * Whether the elements do not change any more: the tensor is a constant of a program, a view of
   * one, or was marked.
   */
  public boolean isConstant() {
    return storage.isConstant();
  }

  /**
   * Promises that the elements do not change any more, for this tensor and all others over its
   * storage: see {@link Storage#markConstant}. Worth it for weights that are passed as arguments.
   */
  public void markConstant() {
    storage.markConstant();
  }

  // ---------------------------------------------------------------- views

  /**
   * A view with another shape and the same dtype. It may be smaller than this tensor.
   *
   * @throws CallException when this tensor is strided or too small, with TVM's texts
   */
  public Tensor reshape(Shape newShape) {
    return reinterpret(newShape, dtype);
  }

  /**
   * A view of the same bytes with another shape and dtype (TVM's {@code CreateView}).
   *
   * @throws CallException when this tensor is strided or too small, with TVM's texts
   */
  public Tensor reinterpret(Shape newShape, DType newDtype) {
    return reinterpret(newShape, newDtype, 0);
  }

  /**
   * A view of bytes of this tensor with another shape and dtype.
   *
   * @param relativeOffset of the view's first byte from this tensor's first byte
   * @throws CallException when this tensor is strided or too small, with TVM's texts; a {@code
   *     ValueError} when the view would begin in front of this tensor, or inside of an element
   */
  public Tensor reinterpret(Shape newShape, DType newDtype, long relativeOffset) {
    if (!isContiguous()) {
      String layout = Arrays.toString(strides()) + ", for shape " + shape;
      throw new CallException(
              ErrorKind.INTERNAL,
              "only a contiguous tensor can be reinterpreted, but this one has strides " + layout)
          .withTvmMessage("Can only create view for compact tensor, but found strides " + layout);
    }
    long bytes = newDtype.byteSize(newShape.elementCount());
    if (relativeOffset < 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "a view begins within its tensor: its byte offset must be at least 0, but is "
              + relativeOffset);
    }
    if (bytes > byteSize() - relativeOffset) {
      throw new CallException(
              ErrorKind.VALUE,
              "a view of "
                  + bytes
                  + " bytes ("
                  + newDtype
                  + newShape
                  + ") at byte offset "
                  + relativeOffset
                  + " does not fit a tensor of "
                  + byteSize()
                  + " bytes ("
                  + dtype
                  + shape
                  + ")")
          .withTvmMessage(
              "View with shape "
                  + newShape
                  + " and datatype "
                  + newDtype
                  + " would have a size of "
                  + bytes
                  + " bytes.  This would occupy bytes "
                  + relativeOffset
                  + " <= i_byte < "
                  + Math.addExact(relativeOffset, bytes)
                  + " within the backing array.  However, the Tensor being viewed only contains "
                  + byteSize()
                  + " bytes (shape = "
                  + shape
                  + ", dtype= "
                  + dtype
                  + ").");
    }
    long start = byteOffset + relativeOffset;
    if (start != 0 && newDtype.isByteAligned() && start % newDtype.elementByteSize() != 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "a view of "
              + newDtype
              + " must begin at a multiple of "
              + newDtype.elementByteSize()
              + " bytes, but would begin at byte "
              + start
              + " of the memory (tensor at "
              + byteOffset
              + ", byte offset "
              + relativeOffset
              + ")\n  what to do: choose a multiple, or copy the bytes");
    }
    return new Tensor(storage, newDtype, newShape, null, start).retainingStorage();
  }

  /**
   * A view with any strides.
   *
   * @param newStrides in elements, one per axis; 0 repeats, negative goes backwards
   * @param elementOffset of the first element from this tensor's first, in elements
   * @throws CallException a {@code ValueError} when the view reaches outside of the storage, or for
   *     dtypes whose elements do not start on byte boundaries
   */
  public Tensor stridedView(Shape newShape, long[] newStrides, long elementOffset) {
    long offset = Strides.checkedOffset(this, newShape, newStrides, elementOffset);
    return new Tensor(storage, dtype, newShape, newStrides.clone(), offset).retainingStorage();
  }

  /**
   * A view with the axes in another order.
   *
   * @param axes a permutation of {@code 0 .. rank-1}
   */
  public Tensor permute(int... axes) {
    int rank = shape.rank();
    long[] dims = new long[rank];
    long[] newStrides = new long[rank];
    boolean[] seen = new boolean[rank];
    boolean valid = axes.length == rank;
    for (int i = 0; valid && i < rank; i++) {
      valid = axes[i] >= 0 && axes[i] < rank && !seen[axes[i]];
      if (valid) {
        seen[axes[i]] = true;
        dims[i] = shape.dim(axes[i]);
        newStrides[i] = stride(axes[i]);
      }
    }
    if (!valid) {
      throw new CallException(
          ErrorKind.VALUE,
          "axes " + Arrays.toString(axes) + " are not a permutation for shape " + shape);
    }
    return stridedView(Shape.ofOwned(dims), newStrides, 0);
  }

  /** A view of the indices {@code from} to {@code to} (excluded) along an axis. */
  public Tensor slice(int axis, long from, long to) {
    int rank = shape.rank();
    if (axis < 0 || axis >= rank || from < 0 || to < from || to > shape.dim(axis)) {
      throw new CallException(
          ErrorKind.INDEX,
          "cannot take [" + from + ", " + to + ") of axis " + axis + " of shape " + shape);
    }
    long[] dims = shape.toArray();
    dims[axis] = to - from;
    Shape sliced = Shape.ofOwned(dims);
    long offset = sliced.elementCount() == 0 ? 0 : Math.multiplyExact(from, stride(axis));
    return stridedView(sliced, strides(), offset);
  }

  /** A second tensor on the same elements with an owner of its own. */
  public Tensor alias() {
    return newHandle();
  }

  @Override
  public Tensor newHandle() {
    retain();
    try {
      return new Tensor(storage, dtype, shape, strides, byteOffset).retainingStorage();
    } finally {
      release();
    }
  }

  // ---------------------------------------------------------------- host access

  /**
   * The memory from the first element on, to the end of the elements when the tensor is contiguous,
   * else to the end of the storage; read-only for a constant. It is valid until this tensor is
   * closed: keep a reference to the tensor as long as the segment is used, and close it then.
   *
   * @throws CallException when the tensor is closed or not on the host
   */
  public MemorySegment segment() {
    requireLive();
    if (!device().isHost()) {
      throw new CallException(
          ErrorKind.VALUE,
          "the elements of this tensor are on "
              + device()
              + "\n  what to do: copy it to the host with toHost()");
    }
    MemorySegment memory = HostDevice.segmentOf(storage.memory());
    long length = isContiguous() ? byteSize() : storage.byteSize() - byteOffset;
    MemorySegment elements = memory.asSlice(byteOffset, length);
    return isConstant() ? elements.asReadOnly() : elements;
  }

  /**
   * The elements in row-major order as floats; works for every numeric dtype and any strides. A
   * tensor on another device is copied to the host first; the method blocks until that is done.
   */
  public float[] toFloatArray() {
    return HostTensors.toFloatArray(this);
  }

  /**
   * The elements in row-major order as doubles; works for every numeric dtype and any strides. A
   * tensor on another device is copied to the host first; the method blocks until that is done.
   */
  public double[] toDoubleArray() {
    return HostTensors.toDoubleArray(this);
  }

  /**
   * The elements in row-major order as integers; floats are refused. A tensor on another device is
   * copied to the host first; the method blocks until that is done.
   */
  public long[] toLongArray() {
    return HostTensors.toLongArray(this);
  }

  /**
   * One element as a float, by its index along each axis; a scalar has no index. On another device
   * the whole tensor is copied for it.
   *
   * @throws CallException an {@code IndexError} when there is no such element
   */
  public double doubleAt(long... index) {
    return Elements.of(this).doubleAt(index);
  }

  /** One element of an integer or boolean tensor, as for {@link #doubleAt}. */
  public long longAt(long... index) {
    return Elements.of(this).longAt(index);
  }

  /**
   * Sets all elements of a tensor on the host, views with strides included.
   *
   * @throws CallException a {@code ValueError} when the dtype cannot hold the value: a fraction or
   *     one out of range for an integer
   */
  public void fill(double value) {
    Elements.fill(this, value);
  }

  /**
   * The elements for people, in nested brackets; longer axes of a tensor with more than {@code
   * maxElements} elements are shortened to three entries at either end.
   */
  public String toDisplayString(long maxElements) {
    return TensorFormat.format(this, maxElements);
  }

  // ---------------------------------------------------------------- copies

  /**
   * A compact copy in host memory that the garbage collector releases. Waits for work that was
   * submitted before on a stream of this tensor's device only if the caller synchronised it:
   * results of VM calls always are.
   */
  public Tensor toHost() {
    return TensorCopies.toHost(this);
  }

  /**
   * Copies the elements into another tensor. Byte sizes must be equal; dtypes and shapes may
   * differ.
   *
   * @throws CallException with TVM's text when the byte sizes differ
   */
  public void copyInto(Tensor target) {
    TensorCopies.copy(this, target, null);
  }

  /**
   * As {@link #copyInto(Tensor)}, with a stream for the work of its device. Complete when the
   * method returns.
   *
   * @param stream of the device of either tensor
   * @throws CallException a {@code ValueError} for a stream of another device
   */
  public void copyInto(Tensor target, Stream stream) {
    if (!stream.device().equals(device()) && !stream.device().equals(target.device())) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot copy from "
              + device()
              + " to "
              + target.device()
              + " with a stream of "
              + stream.device()
              + "\n  what to do: give a stream of one of the two devices");
    }
    TensorCopies.copy(this, target, stream);
  }

  @Override
  @Nullable Runnable contentReleaser() {
    return storage.returnsMemory() ? storage::release : null;
  }

  @Override
  protected void dispose() {
    storage.release();
  }

  @Override
  protected String describeKind() {
    return "tensor";
  }

  void requireWritable() {
    if (isConstant()
        || (device().isHost() && HostDevice.segmentOf(storage.memory()).isReadOnly())) {
      throw new CallException(
          ErrorKind.VALUE,
          "the elements of this tensor cannot be written: "
              + (isConstant() ? "it is a constant" : "its memory is read-only")
              + "\n  what to do: write into a copy, such as toHost() gives");
    }
  }

  void requireLive() {
    if (!isLive()) {
      throw new CallException(ErrorKind.VALUE, "this tensor is closed: it cannot be used any more");
    }
  }

  /** Dtype, shape and device, such as {@code float32[2, 3] on cpu:0}. */
  @Override
  public String toString() {
    return dtype.toString() + shape + " on " + device();
  }
}
