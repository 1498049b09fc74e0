package org.relaxvm.backendtestkit.definition;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Kernels that move or make elements. */
final class MovementDefinitions {
  private MovementDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("copy", request -> ElementwiseDefinitions.source(request)::broadcastAt);
    all.put("reshape", MovementDefinitions::reshape);
    all.put("permute_dims", MovementDefinitions::permuteDims);
    all.put("concat", MovementDefinitions::concat);
    all.put("full", MovementDefinitions::full);
    all.put("arange", MovementDefinitions::arange);
  }

  private static Definition.ElementFunction reshape(KernelRequest request) {
    Operand x = request.operand("x");
    Shape out = request.out().shape();
    long count = x.shape().elementCount();
    request.require(out.elementCount() == count, "out", "a shape of " + count + " elements");
    return at -> x.bitsAt(Indices.indexOf(Indices.numberOf(at, out), x.shape()));
  }

  private static Definition.ElementFunction permuteDims(KernelRequest request) {
    Operand x = request.operand("x");
    int rank = x.shape().rank();
    @Nullable Shape given = request.shapeOrNull("axes");
    int[] axes = new int[rank];
    boolean[] seen = new boolean[rank];
    boolean valid = given == null || given.rank() == rank;
    for (int i = 0; valid && i < rank; i++) {
      long axis = given == null ? rank - 1 - i : given.dim(i);
      axis += axis < 0 ? rank : 0;
      valid = axis >= 0 && axis < rank && !seen[(int) axis];
      if (valid) {
        axes[i] = (int) axis;
        seen[(int) axis] = true;
      }
    }
    request.require(valid, "axes", "a permutation of " + rank + " axes");
    long[] dims = new long[rank];
    for (int i = 0; i < rank; i++) {
      dims[i] = x.shape().dim(axes[i]);
    }
    request.requireOut(dims);
    return at -> {
      long[] source = new long[rank];
      for (int i = 0; i < rank; i++) {
        source[axes[i]] = at[i];
      }
      return x.bitsAt(source);
    };
  }

  private static Definition.ElementFunction concat(KernelRequest request) {
    List<Operand> parts = request.operands("xs");
    Shape first = parts.get(0).shape();
    int axis = request.axis("axis", first.rank());
    long[] dims = first.toArray();
    dims[axis] = 0;
    for (Operand part : parts) {
      boolean fits =
          part.shape().rank() == first.rank()
              && Shape.of(Indices.with(part.shape().toArray(), axis, 0))
                  .equals(Shape.of(Indices.with(dims, axis, 0)));
      request.require(fits, "xs", "of equal shapes but for axis " + axis);
      dims[axis] += part.shape().dim(axis);
    }
    request.requireOut(dims);
    return at -> {
      long index = at[axis];
      for (Operand part : parts) {
        long extent = part.shape().dim(axis);
        if (index < extent) {
          return part.bitsAt(Indices.with(at, axis, index));
        }
        index -= extent;
      }
      throw new IllegalStateException("an index beyond the parts");
    };
  }

  private static Definition.ElementFunction full(KernelRequest request) {
    long bits = converted(request.number("value"), request.out().dtype());
    return at -> bits;
  }

  private static Definition.ElementFunction arange(KernelRequest request) {
    Number start = request.number("start");
    Number step = request.number("step");
    DType dtype = request.out().dtype();
    request.require(request.out().shape().rank() == 1, "out", "rank 1");
    if (start instanceof Long from && step instanceof Long by) {
      return at -> converted(from + at[0] * by, dtype);
    }
    return at -> converted(start.doubleValue() + at[0] * step.doubleValue(), dtype);
  }

  static long converted(Number value, DType dtype) {
    return value instanceof Long whole
        ? ElementBits.convert(whole, DType.INT64, dtype)
        : ElementBits.convert(ElementBits.ofDouble(value.doubleValue()), DType.FLOAT64, dtype);
  }
}
