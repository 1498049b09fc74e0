package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.api.kernels.ArgumentRole;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;

/**
 * A call of a kernel whose arguments have the kinds and dtypes of its signature. Gives access to
 * them, and makes the errors for what only the kernel can check.
 *
 * <p>Not thread-safe: kernels read their arguments before they hand out work.
 */
public final class KernelCall {
  private final KernelSignature signature;
  private final CallArgs args;
  private final CodeChoice code;

  private KernelCall(KernelSignature signature, CallArgs args, CodeChoice code) {
    this.signature = signature;
    this.args = args;
    this.code = code;
  }

  /**
   * Checks the arguments against the signature.
   *
   * @param code what to compute with
   */
  public static KernelCall checked(KernelSignature signature, CallArgs args, CodeChoice code) {
    signature.check(args);
    KernelCall call = new KernelCall(signature, args, code);
    for (int i = 0; i < args.count(); i++) {
      if (args.ref(i) instanceof Tensor tensor) {
        call.checkMemory(i, tensor);
      }
    }
    return call;
  }

  /** The threads for parallel work; null when the kernel is called outside of a VM. */
  public @Nullable WorkerPool workers() {
    VmContext context = args.contextOrNull();
    return context == null ? null : context.workers();
  }

  /** How to compute in float32. */
  Lanes<float[]> floats() {
    return code.floats();
  }

  /** Moves of blocks; null where elements are moved run by run. */
  public @Nullable BlockMoves blocks() {
    return code.blocks();
  }

  /** Selection between elements where they lie; null where that is done in arrays. */
  @Nullable Selection selection() {
    return code.selection();
  }

  /** The codec in which to compute with elements like those of a tensor. */
  public Codec<?> codec(Tensor tensor) {
    return Codecs.of(tensor.dtype(), code.floats());
  }

  /** The arithmetic in double. */
  public Lanes<double[]> doubles() {
    return code.floats().doubles();
  }

  /** The codec in which to compute with floats of up to 32 bits. */
  public Codec<float[]> floatCodec(DType dtype) {
    return Codecs.narrowFloat(dtype, code.floats());
  }

  /** The number of arguments. */
  public int count() {
    return args.count();
  }

  /** The output of a kernel that has one: the last argument. */
  public Tensor output() {
    return args.tensorAt(args.count() - 1);
  }

  /** An input that is no option. */
  public Tensor tensor(int index) {
    return args.tensorAt(index);
  }

  /** An argument that is a tensor, or null. */
  public @Nullable Tensor optionalTensor(int index) {
    return args.isNull(index) ? null : args.tensorAt(index);
  }

  /** The arguments as they are. */
  public CallArgs args() {
    return args;
  }

  /** A boolean. */
  public boolean booleanAt(int index) {
    return args.booleanAt(index);
  }

  /** A shape attribute with as many extents as needed, none of them smaller than {@code least}. */
  long[] extents(int index, int count, long least) {
    Shape shape = args.shapeAt(index);
    boolean fits = shape.rank() == count;
    for (int i = 0; fits && i < count; i++) {
      fits = shape.dim(i) >= least;
    }
    if (!fits) {
      throw wrong(index, count + " numbers of at least " + least, shape.toString());
    }
    return shape.toArray();
  }

  /** An axis attribute, counted from 0. */
  public int axis(int index, int rank) {
    long axis = args.longAt(index);
    if (axis < -rank || axis >= rank) {
      throw wrong(index, "an axis from " + -rank + " to " + (rank - 1), Long.toString(axis));
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /** Axes of a tensor, counted from 0, in the order in which they are given. */
  public int[] distinctAxes(int index, int rank) {
    Shape given = args.shapeAt(index);
    int[] axes = new int[given.rank()];
    boolean[] seen = new boolean[rank];
    for (int i = 0; i < axes.length; i++) {
      long axis = given.dim(i) < 0 ? given.dim(i) + rank : given.dim(i);
      if (axis < 0 || axis >= rank || seen[(int) axis]) {
        throw wrong(index, "distinct axes of a tensor of rank " + rank, given.toString());
      }
      axes[i] = (int) axis;
      seen[axes[i]] = true;
    }
    return axes;
  }

  /** The rank of a tensor, which must not be 0. */
  public int requireAxes(int index) {
    int rank = args.tensorAt(index).shape().rank();
    if (rank == 0) {
      throw wrongShape(index, "a tensor of rank 1 or more");
    }
    return rank;
  }

  /** An optional factor per channel, stretched to the axes of {@code x}, or a number instead. */
  public Operand perChannel(int index, Operand x, int channelAxis, double otherwise) {
    Tensor tensor = optionalTensor(index);
    if (tensor == null) {
      return constant(otherwise, x);
    }
    requireShape(index, Shape.of(x.dim(channelAxis)));
    Operand factor = Operand.of(tensor);
    long[] strides = new long[x.rank()];
    strides[channelAxis] = factor.stride(0);
    return new Operand(factor.memory(), factor.offset(), x.dims(), strides);
  }

  /** A number in the dtype of the output, with the axes of another operand. */
  public Operand constant(double value, Operand like) {
    MemorySegment memory = MemorySegment.ofArray(new byte[Double.BYTES]);
    Codecs.wideFloat(output().dtype()).store(new double[] {value}, 0, 1, memory, 0, 0);
    return new Operand(memory, 0, like.dims(), new long[like.rank()]);
  }

  /** An activation that the dtype of the output admits. */
  Activation activation(int index) {
    Activation activation = Activation.of(signature.name(), args.stringAt(index));
    if (!output().dtype().isFloat() && !activation.acceptsIntegers()) {
      throw wrong(index, "'none' or 'relu' for " + output().dtype(), "'" + activation.text() + "'");
    }
    return activation;
  }

  /** Checks the rank of a tensor. */
  public void requireRank(int index, int rank) {
    if (args.tensorAt(index).shape().rank() != rank) {
      throw wrongShape(index, "rank " + rank);
    }
  }

  /** Checks that a tensor has a shape. */
  public void requireShape(int index, Shape expected) {
    if (!args.tensorAt(index).shape().equals(expected)) {
      throw wrongShape(index, "shape " + expected);
    }
  }

  /** Checks that a tensor can be stretched to a shape. */
  public void requireBroadcast(int index, Shape target) {
    Shape shape = args.tensorAt(index).shape();
    int missing = target.rank() - shape.rank();
    boolean fits = missing >= 0;
    for (int axis = 0; fits && axis < shape.rank(); axis++) {
      fits = shape.dim(axis) == 1 || shape.dim(axis) == target.dim(missing + axis);
    }
    if (!fits) {
      throw wrongShape(index, "a shape that broadcasts to " + target);
    }
  }

  /** The error for a tensor of the wrong shape. */
  public CallException wrongShape(int index, String expected) {
    return wrong(index, expected, "shape " + args.tensorAt(index).shape());
  }

  /** The error for an argument: what it must have or be, and what it has or is. */
  public CallException wrong(int index, String expected, String got) {
    return new CallException(
        ErrorKind.VALUE,
        signature.name()
            + ": argument #"
            + index
            + " '"
            + signature.arguments().get(index).name()
            + "' must be "
            + expected
            + " but is "
            + got);
  }

  /** Checks that the elements of a tensor can be reached, and written if it is an output. */
  public void checkMemory(int index, Tensor tensor) {
    if (!tensor.isLive()) {
      throw wrong(index, "an open tensor", "closed");
    }
    if (!tensor.device().isHost()) {
      throw wrong(index, "on the host", "on " + tensor.device());
    }
    if (signature.arguments().get(index).role() == ArgumentRole.OUTPUT) {
      if (tensor.isConstant() || HostDevice.segmentOf(tensor.storage().memory()).isReadOnly()) {
        throw wrong(index, "writable memory", "read-only");
      }
      for (int axis = 0; axis < tensor.shape().rank(); axis++) {
        if (tensor.stride(axis) == 0 && tensor.shape().dim(axis) > 1) {
          throw wrong(
              index,
              "a tensor without repeated elements",
              "repeated along axis " + axis + " (stride 0)");
        }
      }
    }
  }
}
