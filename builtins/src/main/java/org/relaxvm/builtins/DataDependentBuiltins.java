package org.relaxvm.builtins;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The {@code relax.run.*} helpers whose result's shape depends on the data. Results are host
 * tensors.
 */
final class DataDependentBuiltins {
  private static final ValueLayout.OfLong INDEX =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private DataDependentBuiltins() {}

  static Map<String, PackedFunc> functions() {
    return Map.of(
        "relax.run.shape_to_tensor", DataDependentBuiltins::shapeToTensor,
        "relax.run.unique", DataDependentBuiltins::unique,
        "relax.run.nonzero", DataDependentBuiltins::nonzero,
        "relax.run.reshaped", DataDependentBuiltins::reshaped,
        "relax.run.non_max_suppression", NonMaxSuppression::call,
        "relax.run.mel_weight_matrix", MelWeights::call);
  }

  private static void shapeToTensor(CallArgs args, CallResult result) {
    args.requireCount("relax.run.shape_to_tensor(shape)", 1);
    long[] dims = args.shapeAt(0).toArray();
    result.set(Tensor.of(dims, Shape.of(dims.length)));
  }

  /** The shape that a target stands for, where 0 copies an extent and -1 is what is left. */
  private static void reshaped(CallArgs args, CallResult result) {
    args.requireCount("relax.run.reshaped(x_shape, target, allow_zero)", 3);
    Shape shape = args.shapeAt(0);
    long[] target = Devices.onHost(args, args.tensorAt(1)).toLongArray();
    boolean allowsZero = args.booleanAt(2);
    long[] dims = target.clone();
    int open = -1;
    long known = 1;
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] == 0 && !allowsZero && axis < shape.rank()) {
        dims[axis] = shape.dim(axis);
      }
      if (dims[axis] == -1 && open < 0) {
        open = axis;
      } else if (dims[axis] < 0) {
        throw notAShapeOf(shape, target);
      } else {
        known = product(known, dims[axis]);
      }
    }
    if (open >= 0) {
      if (known == 0 || shape.elementCount() % known != 0) {
        throw notAShapeOf(shape, target);
      }
      dims[open] = shape.elementCount() / known;
      known *= dims[open];
    }
    if (known != shape.elementCount()) {
      throw notAShapeOf(shape, target);
    }
    result.set(Shape.of(dims));
  }

  /** The product, or the largest number where it is larger. */
  private static long product(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
  }

  private static CallException notAShapeOf(Shape shape, long[] target) {
    return new CallException(
        ErrorKind.VALUE,
        "cannot reshape a tensor of shape " + shape + " to " + Arrays.toString(target));
  }

  private static void unique(CallArgs args, CallResult result) {
    boolean flat = args.count() == 5 || (args.count() == 6 && args.isNull(5));
    if (!flat) {
      args.requireCount(
          "relax.run.unique(x, sorted, return_index, return_inverse, return_counts[, axis])", 6);
    }
    Tensor x = Devices.onHost(args, args.tensorAt(0));
    boolean sorted = args.booleanAt(1);
    boolean index = args.booleanAt(2);
    boolean inverse = args.booleanAt(3);
    boolean counts = args.booleanAt(4);
    Unique unique =
        flat ? Unique.ofElements(x, sorted) : Unique.ofSlices(x, axis(x, args.longAt(5)), sorted);
    if (!index && !inverse && !counts) {
      result.set(unique.values());
      return;
    }
    Object[] all = new Object[1 + (index ? 1 : 0) + (inverse ? 1 : 0) + (counts ? 1 : 0)];
    int next = 0;
    all[next++] = unique.values();
    if (index) {
      all[next++] = vector(unique.firstIndices());
    }
    if (inverse) {
      all[next++] = vector(unique.inverse());
    }
    if (counts) {
      all[next++] = vector(unique.counts());
    }
    result.set(Tuple.ofOwned(all));
  }

  private static void nonzero(CallArgs args, CallResult result) {
    args.requireCount("relax.run.nonzero(x)", 1);
    Tensor x = Devices.onHost(args, args.tensorAt(0));
    int[] positions = nonzeroPositions(x);
    int found = positions.length;
    int rank = x.shape().rank();
    Tensor coordinates = Tensor.zeros(DType.INT64, Shape.of(rank, found));
    MemorySegment memory = coordinates.segment();
    for (int i = 0; i < found; i++) {
      long linear = positions[i];
      for (int axis = rank - 1; axis >= 0; axis--) {
        memory.setAtIndex(INDEX, (long) axis * found + i, linear % x.shape().dim(axis));
        linear /= x.shape().dim(axis);
      }
    }
    result.set(coordinates);
  }

  /** Where elements that are not zero are, in row-major order; a NaN is not zero. */
  private static int[] nonzeroPositions(Tensor x) {
    if (x.dtype().isFloat()) {
      double[] values = x.toDoubleArray();
      return IntStream.range(0, values.length).filter(i -> values[i] != 0).toArray();
    }
    long[] values = x.toLongArray();
    return IntStream.range(0, values.length).filter(i -> values[i] != 0).toArray();
  }

  private static int axis(Tensor x, long axis) {
    int rank = x.shape().rank();
    if (axis < -rank || axis >= rank) {
      throw new CallException(
          ErrorKind.INDEX,
          "axis " + axis + " is out of bounds for a tensor of " + rank + " dimensions");
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  private static Tensor vector(long[] values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
