package org.relaxvm.backendtestkit.library;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendtestkit.definition.MemoryOperand;

/** Makes random arguments for the normalizations. */
final class NormalizationCases {
  private static final List<Object> EPSILONS = List.of(1e-5, 0.5, 1L);

  private final RandomTensors tensors;

  NormalizationCases(RandomTensors tensors) {
    this.tensors = tensors;
  }

  @Nullable Object[] make(String name, DType dtype) {
    Shape shape = tensors.withLine(tensors.shape(1 + tensors.upTo(3), 5));
    return switch (name) {
      case "layer_norm", "rms_norm" -> lines(dtype, shape, name.startsWith("rms"));
      case "group_norm" -> groups(dtype, shape);
      default -> channels(dtype, shape);
    };
  }

  private @Nullable Object[] lines(DType dtype, Shape shape, boolean rms) {
    int rank = shape.rank();
    boolean last = tensors.flip();
    int[] order = tensors.permutation(rank);
    int count = last ? 1 : 1 + tensors.upTo(rank - 1);
    long[] axes = new long[count];
    long[] dims = new long[count];
    for (int i = 0; i < count; i++) {
      int axis = last ? rank - 1 : order[i];
      axes[i] = axis - (tensors.flip() ? (long) rank : 0);
      dims[i] = shape.dim(axis);
    }
    Tensor x = tensors.values(dtype, shape);
    @Nullable Tensor gamma = factor(dtype, Shape.of(dims));
    Tensor out = tensors.values(dtype, shape);
    return rms
        ? new Object[] {x, gamma, Shape.of(axes), tensors.oneOf(EPSILONS), out}
        : new Object[] {
          x, gamma, factor(dtype, Shape.of(dims)), Shape.of(axes), tensors.oneOf(EPSILONS), out
        };
  }

  private @Nullable Object[] groups(DType dtype, Shape plain) {
    int rank = plain.rank();
    int channelAxis = tensors.upTo(rank - 1);
    long groups = 1L + tensors.upTo(3);
    long[] dims = plain.toArray();
    dims[channelAxis] = groups * tensors.upTo(3);
    Shape shape = Shape.of(dims);
    long[] axes = new long[rank];
    int count = 0;
    boolean all = tensors.flip();
    for (int axis = 0; axis < rank; axis++) {
      if (axis != channelAxis && (all ? axis > channelAxis : tensors.flip())) {
        axes[count++] = axis - (tensors.flip() ? (long) rank : 0);
      }
    }
    Shape channels = Shape.of(dims[channelAxis]);
    return new Object[] {
      tensors.values(dtype, shape),
      factor(dtype, channels),
      factor(dtype, channels),
      groups,
      channelAxis - (tensors.flip() ? (long) rank : 0),
      Shape.of(Arrays.copyOf(axes, count)),
      tensors.oneOf(EPSILONS),
      tensors.values(dtype, shape)
    };
  }

  private @Nullable Object[] channels(DType dtype, Shape shape) {
    int axis = tensors.upTo(shape.rank() - 1);
    Shape channels = Shape.of(shape.dim(axis));
    Tensor variance = tensors.values(dtype, channels);
    MemoryOperand elements = MemoryOperand.of(variance);
    // A variance is not negative; its sign is the highest bit.
    elements.setAll(at -> elements.bitsAt(at) & Long.MAX_VALUE);
    return new Object[] {
      tensors.values(dtype, shape),
      factor(dtype, channels),
      factor(dtype, channels),
      tensors.values(dtype, channels),
      variance,
      axis - (tensors.flip() ? (long) shape.rank() : 0),
      tensors.oneOf(EPSILONS),
      tensors.values(dtype, shape)
    };
  }

  /** A factor or summand, or none. */
  private @Nullable Tensor factor(DType dtype, Shape shape) {
    return tensors.upTo(3) > 0 ? tensors.values(dtype, shape) : null;
  }
}
