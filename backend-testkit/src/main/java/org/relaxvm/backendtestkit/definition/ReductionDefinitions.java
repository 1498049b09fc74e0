package org.relaxvm.backendtestkit.definition;

import java.util.Arrays;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Reductions over axes, and softmax. */
final class ReductionDefinitions {
  private ReductionDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("sum", reduction(0L, Double::sum, (a, b, t) -> a + b, false));
    all.put("mean", reduction(0L, Double::sum, (a, b, t) -> a + b, true));
    all.put("prod", reduction(1L, (a, b) -> a * b, (a, b, t) -> a * b, false));
    all.put(
        "max",
        reduction(null, Math::max, (a, b, t) -> ElementBits.compare(a, b, t) < 0 ? b : a, false));
    all.put(
        "min",
        reduction(null, Math::min, (a, b, t) -> ElementBits.compare(a, b, t) < 0 ? a : b, false));
    all.put("softmax", request -> softmax(request, false));
    all.put("log_softmax", request -> softmax(request, true));
  }

  private static Definition reduction(
      @Nullable Long identity,
      DoubleBinaryOperator floats,
      ElementwiseDefinitions.IntegerOp integers,
      boolean mean) {
    return request -> {
      Operand x = request.operand("x");
      DType dtype = x.dtype();
      boolean keep = request.flag("keepdims");
      boolean[] reduced = reducedAxes(request, x.shape());
      long[] window = new long[reduced.length];
      long[] dims = new long[reduced.length];
      int rank = 0;
      for (int axis = 0; axis < reduced.length; axis++) {
        window[axis] = reduced[axis] ? x.shape().dim(axis) : 1;
        if (keep || !reduced[axis]) {
          dims[rank++] = reduced[axis] ? 1 : x.shape().dim(axis);
        }
      }
      Shape each = Shape.of(window);
      long count = each.elementCount();
      request.require(identity != null || count > 0, "x", "not empty along the reduced axes");
      request.requireOut(Arrays.copyOf(dims, rank));
      return at -> {
        long[] base = new long[reduced.length];
        int next = 0;
        for (int axis = 0; axis < reduced.length; axis++) {
          base[axis] = reduced[axis] ? 0 : at[keep ? axis : next++];
        }
        long result = 0;
        if (identity != null) {
          result = dtype.isFloat() ? ElementBits.ofDouble(identity) : identity;
        }
        for (long number = 0; number < count; number++) {
          long[] index = Indices.indexOf(number, each);
          for (int axis = 0; axis < index.length; axis++) {
            index[axis] += base[axis];
          }
          long bits = x.bitsAt(index);
          result =
              identity == null && number == 0
                  ? bits
                  : ElementwiseDefinitions.apply(floats, integers, dtype, result, bits);
        }
        return mean ? ElementBits.ofDouble(Double.longBitsToDouble(result) / count) : result;
      };
    };
  }

  private static boolean[] reducedAxes(KernelRequest request, Shape shape) {
    boolean[] reduced = new boolean[shape.rank()];
    @Nullable Shape axes = request.shapeOrNull("axes");
    if (axes == null) {
      Arrays.fill(reduced, true);
      return reduced;
    }
    String expected = "distinct axes of a tensor of rank " + shape.rank();
    for (long given : axes.toArray()) {
      long axis = given < 0 ? given + shape.rank() : given;
      request.require(axis >= 0 && axis < shape.rank() && !reduced[(int) axis], "axes", expected);
      reduced[(int) axis] = true;
    }
    return reduced;
  }

  private static Definition.ElementFunction softmax(KernelRequest request, boolean logarithm) {
    Operand x = request.operand("x");
    request.require(x.shape().rank() >= 1, "x", "a tensor of rank 1 or more");
    int axis = request.axis("axis", x.shape().rank());
    request.requireOut(x.shape().toArray());
    return at -> {
      long extent = x.shape().dim(axis);
      double largest = Double.NEGATIVE_INFINITY;
      for (long i = 0; i < extent; i++) {
        largest = Math.max(largest, x.doubleAt(Indices.with(at, axis, i)));
      }
      double sum = 0;
      for (long i = 0; i < extent; i++) {
        sum += Math.exp(x.doubleAt(Indices.with(at, axis, i)) - largest);
      }
      double own = x.doubleAt(at) - largest;
      return ElementBits.ofDouble(logarithm ? own - Math.log(sum) : Math.exp(own) / sum);
    };
  }
}
