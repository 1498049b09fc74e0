package org.relaxvm.backendtestkit.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Kernels that copy a tensor and change elements where indices say, one after the other. */
final class ScatterDefinitions {
  private static final List<String> REDUCTIONS =
      List.of("update", "add", "mul", "mean", "max", "min");

  private ScatterDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("scatter_elements", ScatterDefinitions::scatterElements);
    all.put("scatter_nd", ScatterDefinitions::scatterNd);
  }

  private static Definition.ElementFunction scatterElements(KernelRequest request) {
    Operand x = request.operand("x");
    Operand indices = request.operand("indices");
    int axis = IndexingDefinitions.elementsAxis(request);
    Shape updates = request.operand("updates").shape();
    request.require(updates.equals(indices.shape()), "updates", "shape " + indices.shape());
    return replay(
        request,
        at -> {
          long extent = x.shape().dim(axis);
          long index = IndexingDefinitions.inRange(request, indices.bitsAt(at), extent);
          return Indices.with(at, axis, index);
        });
  }

  private static Definition.ElementFunction scatterNd(KernelRequest request) {
    Shape x = request.operand("x").shape();
    Operand indices = request.operand("indices");
    int last = indices.shape().rank() - 1;
    request.require(
        last >= 0 && indices.shape().dim(last) <= x.rank(),
        "indices",
        "lines of at most " + x.rank() + " indices");
    int length = (int) indices.shape().dim(last);
    long[] dims =
        IndexingDefinitions.joined(
            Arrays.copyOf(indices.shape().toArray(), last),
            Arrays.copyOfRange(x.toArray(), length, x.rank()));
    request.require(
        request.operand("updates").shape().equals(Shape.of(dims)),
        "updates",
        "shape " + Shape.of(dims));
    return replay(
        request,
        at -> {
          long[] target = new long[x.rank()];
          for (int axis = 0; axis < length; axis++) {
            long[] where = Arrays.copyOf(at, last + 1);
            where[last] = axis;
            target[axis] = IndexingDefinitions.inRange(request, indices.bitsAt(where), x.dim(axis));
          }
          System.arraycopy(at, last, target, length, at.length - last);
          return target;
        });
  }

  /**
   * Makes the updates in row-major order, when the first element is asked for.
   *
   * @param target the index in the output of the update at an index
   */
  private static Definition.ElementFunction replay(
      KernelRequest request, UnaryOperator<long[]> target) {
    Operand x = request.operand("x");
    Operand updates = request.operand("updates");
    String reduction = request.string("reduction");
    boolean fits = REDUCTIONS.contains(reduction);
    fits &= !x.dtype().equals(DType.BOOL) || reduction.equals("update");
    request.require(fits, "reduction", "one of " + REDUCTIONS + "; for bool, update");
    request.requireOut(x.shape().toArray());
    return new Definition.ElementFunction() {
      private long @Nullable [] result;

      @Override
      public long at(long[] index) {
        long[] bits = result;
        if (bits == null) {
          bits = new long[Math.toIntExact(x.shape().elementCount())];
          for (int i = 0; i < bits.length; i++) {
            bits[i] = x.bitsAt(Indices.indexOf(i, x.shape()));
          }
          long[] changed = bits;
          Indices.forEach(
              updates.shape(),
              at -> {
                int flat = (int) Indices.numberOf(target.apply(at), x.shape());
                long combined = combine(reduction, x.dtype(), changed[flat], updates.bitsAt(at));
                changed[flat] = ElementBits.stored(combined, x.dtype());
              });
          result = bits;
        }
        return bits[(int) Indices.numberOf(index, x.shape())];
      }
    };
  }

  private static long combine(String reduction, DType t, long a, long b) {
    return switch (reduction) {
      case "add" -> ElementwiseDefinitions.apply(Double::sum, (p, q, s) -> p + q, t, a, b);
      case "mul" -> ElementwiseDefinitions.apply((p, q) -> p * q, (p, q, s) -> p * q, t, a, b);
      case "mean" ->
          ElementwiseDefinitions.apply(
              (p, q) -> (p + q) / 2,
              (p, q, s) -> {
                long sum = ElementBits.wrap(p + q, s);
                return ElementBits.isUnsigned(s) ? sum >>> 1 : sum / 2;
              },
              t,
              a,
              b);
      case "max" ->
          ElementwiseDefinitions.apply(
              Math::max, (p, q, s) -> ElementBits.compare(p, q, s) < 0 ? q : p, t, a, b);
      case "min" ->
          ElementwiseDefinitions.apply(
              Math::min, (p, q, s) -> ElementBits.compare(p, q, s) < 0 ? p : q, t, a, b);
      default -> b;
    };
  }
}
