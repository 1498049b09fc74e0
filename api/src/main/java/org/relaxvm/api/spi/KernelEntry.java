package org.relaxvm.api.spi;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * How a kernel of a {@link ModuleImage} is called and launched, for code that came from another
 * compiler than the backend's own.
 *
 * <p><b>The call.</b> A backend makes a {@link org.relaxvm.api.PackedFunc} of each entry. Its
 * arguments are, in this order:
 *
 * <ol>
 *   <li>one for each of {@link #parameters};
 *   <li>one integer for each of {@link #launchTags} that {@linkplain LaunchTag#hasValue() has a
 *       value}, in their order: sizes of the grid and of the block, sizes of clusters, and at last
 *       the bytes of dynamic shared memory if the kernel uses some. {@link KernelLaunch} reads
 *       them.
 * </ol>
 *
 * <p>The function sets no result. It enqueues the kernel on {@code
 * args.context().stream(context.indexOf(device))} and need not wait for it; results become visible
 * in the order of the stream. Without a context, as in a call from Java outside of any VM, it uses
 * a stream of its own and waits.
 *
 * <p><b>Parameters.</b>
 *
 * <table>
 *   <caption>What a parameter takes</caption>
 *   <tr><th>dtype</th><th>argument</th><th>what the kernel gets</th></tr>
 *   <tr><td>{@code handle}</td><td>a {@link Tensor} of the device, a {@link Storage} of the device,
 *     or null</td><td>the position where the tensor or the storage starts: its block plus {@link
 *     #byteOffsetAt}. Null is the null pointer, given for tensors without elements; a device
 *     without pointers binds any buffer. A device that cannot bind a block at that offset refuses
 *     the call. Shape and dtype of the tensor do not matter: the kernel was compiled for
 *     them</td></tr>
 *   <tr><td>{@code handle} in {@link #tensorMaps}</td><td>{@code byte[]} of 128 bytes</td><td>the
 *     content, a {@code CUtensorMap}, by value; the array may change after the call</td></tr>
 *   <tr><td>{@code int64}</td><td>an integer</td><td>its 64 bits</td></tr>
 *   <tr><td>{@code int32}, {@code uint32}</td><td>an integer</td><td>its low 32 bits</td></tr>
 *   <tr><td>{@code float64}</td><td>a float</td><td>its 64 bits</td></tr>
 *   <tr><td>{@code float32}</td><td>a float</td><td>rounded to 32 bits</td></tr>
 * </table>
 *
 * <p>There are no other dtypes: an entry with one cannot be made. {@link #scalarBits} converts.
 * Compilers put handles before scalars, but only SPIR-V needs that; see {@link SpirvBindings} for
 * where it finds them.
 *
 * <p><b>The launch.</b> Sizes are 1 unless a tag gives another; a given 0 counts as 1, since a
 * dimension of unknown extent may be 0. The launch has {@link #workDimensions} dimensions. With
 * CUDA and ROCm they are the grid, the block, the clusters and the shared bytes as they are. With
 * OpenCL the local size is the block and the global size is grid times block; dynamic shared memory
 * does not exist there and its number is ignored. With SPIR-V the sizes of the block are part of
 * the code: only the grid is dispatched, always in three dimensions.
 *
 * <p>Source: docs/spec/device-modules.md, sections 2 to 5. Immutable and thread-safe.
 *
 * @param name the kernel's name, which is also its symbol in the code
 * @param parameters the dtypes of the parameters in order
 * @param launchTags what the numbers after them are; each at most once
 * @param tensorMaps indexes of the parameters that are tensor maps of CUDA
 * @param uniformScalars for SPIR-V: whether scalars lie in a uniform buffer and not in push
 *     constants; false for all other code
 */
public record KernelEntry(
    String name,
    List<DType> parameters,
    List<LaunchTag> launchTags,
    Set<Integer> tensorMaps,
    boolean uniformScalars) {
  /** The dtype of parameters that are memory. */
  public static final DType HANDLE = new DType(TypeCode.HANDLE, 64, 1);

  /** The bytes of a tensor map. */
  public static final int TENSOR_MAP_BYTES = 128;

  private static final Set<DType> SCALARS =
      Set.of(DType.INT64, DType.INT32, DType.UINT32, DType.FLOAT64, DType.FLOAT32);

  /**
   * Copies the collections and checks them.
   *
   * @throws InvalidProgramException when a kernel of this kind cannot be called
   */
  public KernelEntry {
    parameters = List.copyOf(parameters);
    launchTags = List.copyOf(launchTags);
    // Sorted, so that equal entries print alike.
    tensorMaps = Collections.unmodifiableSortedSet(new TreeSet<>(tensorMaps));
    if (name.isEmpty()) {
      throw invalid(name, ErrorKind.VALUE, "a kernel must have a name");
    }
    for (DType dtype : parameters) {
      if (dtype.lanes() != 1) {
        throw invalid(name, ErrorKind.INTERNAL, "a parameter is a vector, " + dtype)
            .withTvmMessage("Cannot pass vector type argument to device function for now");
      }
      if (!dtype.equals(HANDLE) && !SCALARS.contains(dtype)) {
        throw invalid(
                name,
                ErrorKind.INTERNAL,
                "a parameter has the type "
                    + dtype
                    + "\n  expected: handle, int32, int64, uint32, float32 or float64")
            .withTvmMessage("Cannot handle " + dtype + " as device function argument");
      }
    }
    checkTags(name, launchTags);
    for (int index : tensorMaps) {
      if (index < 0 || index >= parameters.size() || !parameters.get(index).equals(HANDLE)) {
        throw invalid(
            name, ErrorKind.VALUE, "tensor map " + index + " must be the index of a handle");
      }
    }
  }

  /** A kernel without tensor maps whose scalars are passed as its device does it. */
  public KernelEntry(String name, List<DType> parameters, List<LaunchTag> launchTags) {
    this(name, parameters, launchTags, Set.of(), false);
  }

  private static void checkTags(String name, List<LaunchTag> tags) {
    EnumSet<LaunchTag> seen = EnumSet.noneOf(LaunchTag.class);
    for (LaunchTag tag : tags) {
      if (!seen.add(tag)) {
        throw invalid(name, ErrorKind.VALUE, "the launch tag " + tag + " is given twice");
      }
    }
    int shared = tags.indexOf(LaunchTag.DYNAMIC_SHARED_MEMORY);
    if (shared >= 0 && shared != tags.size() - 1) {
      throw invalid(
              name,
              ErrorKind.INTERNAL,
              "the launch tag of dynamic shared memory must come last, but the tags are " + tags)
          .withTvmMessage("kUseDynamicSharedMemoryTag should be the last tag in launch_param_tags");
    }
  }

  private static InvalidProgramException invalid(String name, ErrorKind kind, String what) {
    return new InvalidProgramException(kind, what + "\n  kernel: " + name);
  }

  /** The number of arguments of a call. */
  public int argumentCount() {
    int count = parameters.size();
    // No stream: this runs at every launch.
    for (int i = 0; i < launchTags.size(); i++) {
      count += launchTags.get(i).hasValue() ? 1 : 0;
    }
    return count;
  }

  /** The dimensions of a launch: one more than the last axis that has a tag, 1 to 3. */
  public int workDimensions() {
    int last = 0;
    for (LaunchTag tag : launchTags) {
      if (tag.size() == LaunchTag.Size.GRID || tag.size() == LaunchTag.Size.BLOCK) {
        last = Math.max(last, tag.axis());
      }
    }
    return last + 1;
  }

  /** Whether a parameter is memory: a handle that is no tensor map. */
  public boolean isMemory(int index) {
    return parameters.get(index).equals(HANDLE) && !tensorMaps.contains(index);
  }

  /**
   * Checks the number of arguments.
   *
   * @throws CallException a {@code TypeError} when it is another
   */
  public void requireCount(CallArgs args) {
    if (args.count() != argumentCount()) {
      throw new CallException(
          ErrorKind.TYPE,
          "kernel "
              + name
              + " expects "
              + argumentCount()
              + " arguments, which are "
              + parameters
              + " and the sizes "
              + launchTags.stream().filter(LaunchTag::hasValue).toList()
              + ", but got "
              + args.count());
    }
  }

  /**
   * The bits of a scalar argument, converted to its parameter's dtype. Those of 32 bits are in the
   * low half, above which there are zeros.
   *
   * @throws CallException a {@code TypeError} when the argument is no number of that family
   */
  public long scalarBits(CallArgs args, int index) {
    DType dtype = parameters.get(index);
    if (dtype.equals(HANDLE)) {
      throw args.mismatch(index, "handle");
    }
    boolean wide = dtype.bits() == 64;
    if (dtype.isFloat()) {
      double value = args.doubleAt(index);
      return wide
          ? Double.doubleToRawLongBits(value)
          : Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
    }
    long value = args.longAt(index);
    return wide ? value : value & 0xFFFF_FFFFL;
  }

  /**
   * The storage that a memory argument lies in, borrowed; null for null.
   *
   * @throws CallException a {@code TypeError} when the argument is no memory, a {@code ValueError}
   *     when it belongs to another device
   */
  public @Nullable Storage storageAt(CallArgs args, int index, Device device) {
    Storage storage =
        switch (args.at(index)) {
          case null -> null;
          case Tensor tensor -> tensor.storage();
          case Storage block -> block;
          default -> throw args.mismatch(index, "ffi.Tensor");
        };
    if (storage != null && !storage.device().equals(device)) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument #"
              + index
              + " of kernel "
              + name
              + " must be on "
              + device
              + ", but is on "
              + storage.device());
    }
    return storage;
  }

  /** The first byte of a memory argument in its storage's block; 0 for null. */
  public long byteOffsetAt(CallArgs args, int index) {
    return args.at(index) instanceof Tensor tensor ? tensor.byteOffset() : 0;
  }

  /**
   * A tensor map, borrowed.
   *
   * @throws CallException a {@code TypeError} when the argument is none
   */
  public byte[] tensorMapAt(CallArgs args, int index) {
    if (args.at(index) instanceof byte[] map && map.length == TENSOR_MAP_BYTES) {
      return map;
    }
    throw args.mismatch(index, "tensor map of " + TENSOR_MAP_BYTES + " bytes");
  }
}
