package org.relaxvm.backendtestkit.definition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Kernels that compare or add up elements along a line. */
final class OrderingDefinitions {
  private OrderingDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("sort", request -> sort(request, false));
    all.put("argsort", request -> sort(request, true));
    all.put("topk", request -> topk(request, false));
    all.put("topk_indices", request -> topk(request, true));
    all.put("argmax", request -> extreme(request, true));
    all.put("argmin", request -> extreme(request, false));
    all.put("cumsum", request -> scan(request, false));
    all.put("cumprod", request -> scan(request, true));
  }

  private static Definition.ElementFunction sort(KernelRequest request, boolean indices) {
    int axis = axis(request);
    request.requireOut(request.operand("x").shape().toArray());
    return ordered(request, axis, request.flag("descending"), indices);
  }

  private static Definition.ElementFunction topk(KernelRequest request, boolean indices) {
    int axis = axis(request);
    Shape x = request.operand("x").shape();
    Shape out = request.out().shape();
    boolean fits = out.rank() == x.rank() && out.dim(axis) <= x.dim(axis);
    fits =
        fits
            && Shape.of(Indices.with(out.toArray(), axis, 0))
                .equals(Shape.of(Indices.with(x.toArray(), axis, 0)));
    request.require(fits, "out", "shape " + x + " with no more along axis " + axis);
    return ordered(request, axis, request.flag("largest"), indices);
  }

  private static int axis(KernelRequest request) {
    int rank = request.operand("x").shape().rank();
    request.require(rank > 0, "x", "a tensor of rank 1 or more");
    return request.axis("axis", rank);
  }

  private static Definition.ElementFunction ordered(
      KernelRequest request, int axis, boolean descending, boolean indices) {
    Operand x = request.operand("x");
    Comparator<Long> order = (a, b) -> compare(a, b, x.dtype());
    return at -> {
      List<Long> line = new ArrayList<>();
      for (long i = 0; i < x.shape().dim(axis); i++) {
        line.add(i);
      }
      Comparator<Long> byElement =
          Comparator.comparing(
              i -> x.bitsAt(Indices.with(at, axis, i)), descending ? order.reversed() : order);
      line.sort(byElement);
      long index = line.get((int) at[axis]);
      return indices ? index : x.bitsAt(Indices.with(at, axis, index));
    };
  }

  /** The order in which NaN is the largest, and the zeros are equal. */
  private static int compare(long a, long b, DType dtype) {
    if (!dtype.isFloat()) {
      return ElementBits.compare(a, b, dtype);
    }
    double x = Double.longBitsToDouble(a);
    double y = Double.longBitsToDouble(b);
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Boolean.compare(Double.isNaN(x), Double.isNaN(y));
    }
    return x < y ? -1 : x > y ? 1 : 0;
  }

  private static Definition.ElementFunction extreme(KernelRequest request, boolean largest) {
    Operand x = request.operand("x");
    int rank = x.shape().rank();
    boolean all = request.isNull("axis");
    int reduced = all ? -1 : request.axis("axis", rank);
    boolean keep = request.flag("keepdims");
    List<Long> dims = new ArrayList<>();
    List<Integer> kept = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      boolean gone = all || axis == reduced;
      if (!gone || keep) {
        dims.add(gone ? 1 : x.shape().dim(axis));
        kept.add(gone ? -1 : axis);
      }
    }
    long count = all ? x.shape().elementCount() : x.shape().dim(reduced);
    request.requireOut(dims.stream().mapToLong(Long::longValue).toArray());
    request.require(count > 0, "x", "not empty along the reduced axes");
    return at -> {
      long[] index = new long[rank];
      for (int i = 0; i < kept.size(); i++) {
        if (kept.get(i) >= 0) {
          index[kept.get(i)] = at[i];
        }
      }
      long best = 0;
      for (long i = 1; i < count; i++) {
        long bits = x.bitsAt(number(x, index, reduced, i));
        long bestBits = x.bitsAt(number(x, index, reduced, best));
        boolean bestIsNan = x.dtype().isFloat() && Double.isNaN(Double.longBitsToDouble(bestBits));
        boolean isNan = x.dtype().isFloat() && Double.isNaN(Double.longBitsToDouble(bits));
        int order = compare(bits, bestBits, x.dtype());
        if (!bestIsNan && (isNan || (largest ? order > 0 : order < 0))) {
          best = i;
        }
      }
      return best;
    };
  }

  /** The index of the element with a number in its line, or in the whole for axis -1. */
  private static long[] number(Operand x, long[] index, int axis, long number) {
    return axis < 0 ? Indices.indexOf(number, x.shape()) : Indices.with(index, axis, number);
  }

  private static Definition.ElementFunction scan(KernelRequest request, boolean product) {
    Operand x = request.operand("x");
    boolean flat = request.isNull("axis");
    int axis = flat ? -1 : request.axis("axis", x.shape().rank());
    boolean exclusive = request.flag("exclusive");
    DType dtype = x.dtype();
    if (flat) {
      request.requireOut(x.shape().elementCount());
    } else {
      request.requireOut(x.shape().toArray());
    }
    return at -> {
      long own = flat ? at[0] : at[axis];
      long identity = product ? 1 : 0;
      long result = dtype.isFloat() ? ElementBits.ofDouble(identity) : identity;
      for (long i = 0; exclusive ? i < own : i <= own; i++) {
        long bits = x.bitsAt(number(x, at, axis, i));
        result =
            product
                ? ElementwiseDefinitions.apply(
                    (a, b) -> a * b, (a, b, t) -> a * b, dtype, result, bits)
                : ElementwiseDefinitions.apply(
                    Double::sum, (a, b, t) -> a + b, dtype, result, bits);
      }
      return result;
    };
  }
}
