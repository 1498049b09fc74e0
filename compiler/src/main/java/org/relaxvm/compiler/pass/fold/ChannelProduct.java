package org.relaxvm.compiler.pass.fold;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;

/**
 * A convolution, transposed convolution or matmul whose second operand is constant. Each element of
 * that counts for one channel of the result.
 *
 * @param ndim the number of axes of the result
 * @param axis the axis of channels of the result
 * @param channels its extent
 * @param out the axis of the weights that tells the channel in its group
 * @param in the axis of the weights that tells the group, or {@link #NONE} where {@code out} tells
 *     it
 */
record ChannelProduct(
    Call call, Constant weights, int ndim, int axis, int channels, int out, int in, long groups) {
  static final int NONE = -1;

  /** Larger weights are not copied. */
  private static final long MOST_ELEMENTS = 1L << 24;

  private static final List<Op> CONVOLUTIONS =
      List.of(Convolutions.CONV1D, Convolutions.CONV2D, Convolutions.CONV3D);

  private static final List<Op> TRANSPOSED =
      List.of(
          Convolutions.CONV1D_TRANSPOSE,
          Convolutions.CONV2D_TRANSPOSE,
          Convolutions.CONV3D_TRANSPOSE);

  /** A call as such; empty for others, and where dtypes are not all float32 or all float64. */
  static Optional<ChannelProduct> of(Call call) {
    if (!(call.callee() instanceof OpDef op)
        || call.args().size() < 2
        || !(call.args().get(1) instanceof Constant weights)
        || !(call.type() instanceof TensorType type)
        || !isOfOneDType(call, weights.data(), type)) {
      return Optional.empty();
    }
    if (op.equals(Linear.MATMUL)) {
      int last = weights.data().shape().rank() - 1;
      return last < 1 ? Optional.empty() : at(call, weights, type, type.ndim() - 1, last, NONE, 1);
    }
    boolean isTransposed = TRANSPOSED.contains(op);
    return isTransposed || CONVOLUTIONS.contains(op)
        ? convolution(call, op.withDefaults(call.attrs()), weights, type, isTransposed)
        : Optional.empty();
  }

  private static boolean isOfOneDType(Call call, Tensor weights, TensorType result) {
    DType dtype = weights.dtype();
    return (dtype.equals(DType.FLOAT32) || dtype.equals(DType.FLOAT64))
        && weights.elementCount() <= MOST_ELEMENTS
        && weights.device().isHost()
        && weights.isContiguous()
        && result.dtype().filter(dtype::equals).isPresent()
        && call.args().getFirst().knownType().orElse(null) instanceof TensorType data
        && data.dtype().filter(dtype::equals).isPresent();
  }

  private static Optional<ChannelProduct> convolution(
      Call call, Attrs attrs, Constant weights, TensorType type, boolean isTransposed) {
    String kernel = attrs.text("kernel_layout").orElseThrow();
    String data = attrs.text("data_layout").orElseThrow();
    String out = attrs.text("out_layout").filter(text -> !text.isEmpty()).orElse(data);
    long groups = attrs.integer("groups").orElseThrow();
    return at(
        call,
        weights,
        type,
        out.indexOf('C'),
        kernel.indexOf('O'),
        isTransposed ? kernel.indexOf('I') : NONE,
        groups);
  }

  private static Optional<ChannelProduct> at(
      Call call, Constant weights, TensorType type, int axis, int out, int in, long groups) {
    return type.dims().isPresent()
            && type.dims().get().get(axis) instanceof IntImm channels
            && channels.value() > 0
            && channels.value() <= Integer.MAX_VALUE
        ? Optional.of(
            new ChannelProduct(
                call, weights, type.ndim(), axis, (int) channels.value(), out, in, groups))
        : Optional.empty();
  }

  private long stride(int axis) {
    long stride = 1;
    for (int i = axis + 1; i < weights.data().shape().rank(); i++) {
      stride *= weights.data().shape().dim(i);
    }
    return stride;
  }

  /** How many adjacent elements of the weights count for the same channel. */
  long run() {
    return in == NONE ? stride(out) : Math.min(stride(out), stride(in));
  }

  /** The channel that an element of the weights counts for. */
  int channel(long element) {
    long extent = weights.data().shape().dim(out);
    long inGroup = element / stride(out) % extent;
    if (in == NONE) {
      return (int) inGroup;
    }
    long inputs = weights.data().shape().dim(in);
    long group = element / stride(in) % inputs / (inputs / groups);
    return (int) (group * extent + inGroup);
  }
}
