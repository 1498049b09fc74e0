package org.relaxvm.backendtestkit.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Kernels that read elements where indices say. */
final class IndexingDefinitions {
  private IndexingDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("take", IndexingDefinitions::take);
    all.put("gather_elements", IndexingDefinitions::gatherElements);
    all.put("gather_nd", IndexingDefinitions::gatherNd);
    all.put("one_hot", IndexingDefinitions::oneHot);
  }

  private static Definition.ElementFunction take(KernelRequest request) {
    Operand x = request.operand("x");
    Operand indices = request.operand("indices");
    int rank = x.shape().rank();
    request.require(rank > 0, "x", "a tensor of rank 1 or more");
    int axis = request.axis("axis", rank);
    String mode = request.string("mode");
    List<String> modes = List.of("fast", "wrap", "clip", "nan");
    request.require(modes.contains(mode), "mode", "one of " + modes);
    request.require(
        !mode.equals("nan") || x.dtype().isFloat(), "mode", "another mode for " + x.dtype());
    long[] dims = x.shape().toArray();
    int count = indices.shape().rank();
    request.requireOut(
        joined(
            Arrays.copyOf(dims, axis),
            indices.shape().toArray(),
            Arrays.copyOfRange(dims, axis + 1, rank)));
    return at -> {
      long index = indices.bitsAt(Arrays.copyOfRange(at, axis, axis + count));
      long extent = dims[axis];
      if (mode.equals("nan") && (index < 0 || index >= extent)) {
        return ElementBits.ofDouble(Double.NaN);
      }
      long position =
          switch (mode) {
            case "wrap" -> extent == 0 ? index : Math.floorMod(index, extent);
            case "clip" -> Math.min(Math.max(index, 0), Math.max(0, extent - 1));
            default -> index;
          };
      long[] source =
          joined(
              Arrays.copyOf(at, axis),
              new long[] {inRange(request, position, extent)},
              Arrays.copyOfRange(at, axis + count, at.length));
      return x.bitsAt(source);
    };
  }

  private static Definition.ElementFunction gatherElements(KernelRequest request) {
    Operand x = request.operand("x");
    Operand indices = request.operand("indices");
    int axis = elementsAxis(request);
    request.requireOut(indices.shape().toArray());
    return at -> {
      long index = inRange(request, indices.bitsAt(at), x.shape().dim(axis));
      return x.bitsAt(Indices.with(at, axis, index));
    };
  }

  /** Checks the inputs of a kernel whose indices stand beside elements. */
  static int elementsAxis(KernelRequest request) {
    Shape x = request.operand("x").shape();
    Shape indices = request.operand("indices").shape();
    request.require(x.rank() > 0, "x", "a tensor of rank 1 or more");
    int axis = request.axis("axis", x.rank());
    boolean fits = x.rank() == indices.rank();
    for (int i = 0; fits && i < x.rank(); i++) {
      fits = i == axis || indices.dim(i) <= x.dim(i);
    }
    request.require(fits, "indices", "a shape within " + x + " but for axis " + axis);
    return axis;
  }

  private static Definition.ElementFunction gatherNd(KernelRequest request) {
    Operand x = request.operand("x");
    Operand indices = request.operand("indices");
    int last = indices.shape().rank() - 1;
    request.require(last >= 0, "indices", "a tensor of rank 1 or more");
    long given = request.integer("batch_dims");
    boolean fits = given >= 0 && given <= Math.min(x.shape().rank(), last);
    for (int i = 0; fits && i < given; i++) {
      fits = x.shape().dim(i) == indices.shape().dim(i);
    }
    request.require(fits, "batch_dims", "a number of equal leading axes");
    int batch = (int) given;
    long length = indices.shape().dim(last);
    request.require(
        length <= x.shape().rank() - batch, "indices", "lines of no more indices than axes");
    int named = batch + (int) length;
    request.requireOut(
        joined(
            Arrays.copyOf(indices.shape().toArray(), last),
            Arrays.copyOfRange(x.shape().toArray(), named, x.shape().rank())));
    return at -> {
      long[] source = new long[x.shape().rank()];
      for (int axis = 0; axis < source.length; axis++) {
        if (axis < batch) {
          source[axis] = at[axis];
        } else if (axis < named) {
          long[] where = Arrays.copyOf(at, last + 1);
          where[last] = (long) axis - batch;
          source[axis] = inRange(request, indices.bitsAt(where), x.shape().dim(axis));
        } else {
          source[axis] = at[last + axis - named];
        }
      }
      return x.bitsAt(source);
    };
  }

  private static Definition.ElementFunction oneHot(KernelRequest request) {
    Operand indices = request.operand("indices");
    Shape out = request.out().shape();
    int rank = indices.shape().rank() + 1;
    int axis = request.axis("axis", rank);
    boolean fits =
        out.rank() == rank && Shape.of(without(out.toArray(), axis)).equals(indices.shape());
    request.require(fits, "out", "the shape of `indices` with the depth at axis " + axis);
    DType dtype = request.out().dtype();
    long on = MovementDefinitions.converted(request.number("on_value"), dtype);
    long off = MovementDefinitions.converted(request.number("off_value"), dtype);
    return at -> indices.bitsAt(without(at, axis)) == at[axis] ? on : off;
  }

  /** An index counted from 0. */
  static long inRange(KernelRequest request, long index, long extent) {
    if (index < -extent || index >= extent) {
      throw new CallException(
          ErrorKind.VALUE,
          request.signature().name()
              + ": argument #1 'indices' must be indices from "
              + -extent
              + " to "
              + (extent - 1)
              + " but is "
              + index);
    }
    return index < 0 ? index + extent : index;
  }

  static long[] joined(long[]... parts) {
    return Arrays.stream(parts).flatMapToLong(LongStream::of).toArray();
  }

  private static long[] without(long[] index, int axis) {
    return joined(Arrays.copyOf(index, axis), Arrays.copyOfRange(index, axis + 1, index.length));
  }
}
