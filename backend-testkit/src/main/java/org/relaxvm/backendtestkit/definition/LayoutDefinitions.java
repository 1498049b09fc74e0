package org.relaxvm.backendtestkit.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;

/** Kernels that slice, repeat, reverse and pad elements. */
final class LayoutDefinitions {
  private LayoutDefinitions() {}

  static void addTo(Map<String, Definition> all) {
    all.put("strided_slice", LayoutDefinitions::stridedSlice);
    all.put("tile", LayoutDefinitions::tile);
    all.put("repeat", LayoutDefinitions::repeat);
    all.put("flip", LayoutDefinitions::flip);
    all.put("pad", LayoutDefinitions::pad);
    all.put("tril", request -> triangle(request, true));
    all.put("triu", request -> triangle(request, false));
  }

  private static Definition.ElementFunction stridedSlice(KernelRequest request) {
    Operand x = request.operand("x");
    int rank = x.shape().rank();
    long[] axes = request.list("axes");
    long[] begin = request.list("begin");
    long[] end = request.list("end");
    @Nullable Shape given = request.shapeOrNull("strides");
    String each = axes.length + " numbers";
    request.require(begin.length == axes.length, "begin", each);
    request.require(end.length == axes.length, "end", each);
    request.require(given == null || given.rank() == axes.length, "strides", each);
    long[] dims = x.shape().toArray();
    long[] first = new long[rank];
    long[] steps = new long[rank];
    for (int i = 0; i < axes.length; i++) {
      long axis = axes[i] < 0 ? axes[i] + rank : axes[i];
      boolean fits = axis >= 0 && axis < rank && steps[(int) axis] == 0;
      request.require(fits, "axes", "distinct axes of a tensor of rank " + rank);
      long step = given == null ? 1 : given.dim(i);
      request.require(step != 0, "strides", "steps other than 0");
      long extent = x.shape().dim((int) axis);
      steps[(int) axis] = step;
      first[(int) axis] = position(begin[i], extent, step);
      long last = position(end[i], extent, step);
      long count = 0;
      for (long at = first[(int) axis]; step > 0 ? at < last : at > last; at += step) {
        count++;
      }
      dims[(int) axis] = count;
    }
    request.requireOut(dims);
    return at -> {
      long[] source = at.clone();
      for (int axis = 0; axis < rank; axis++) {
        source[axis] = steps[axis] == 0 ? at[axis] : first[axis] + at[axis] * steps[axis];
      }
      return x.bitsAt(source);
    };
  }

  private static long position(long given, long extent, long step) {
    long position = given < 0 ? given + extent : given;
    return step > 0
        ? Math.max(0, Math.min(position, extent))
        : Math.max(-1, Math.min(position, extent - 1));
  }

  private static Definition.ElementFunction tile(KernelRequest request) {
    Operand x = request.operand("x");
    long[] repeats = request.list("repeats");
    int rank = Math.max(repeats.length, x.shape().rank());
    long[] dims = new long[rank];
    Arrays.fill(dims, 1);
    for (int i = 0; i < x.shape().rank(); i++) {
      dims[rank - x.shape().rank() + i] = x.shape().dim(i);
    }
    for (int i = 0; i < repeats.length; i++) {
      request.require(repeats[i] >= 0, "repeats", "numbers of at least 0");
      dims[rank - repeats.length + i] *= repeats[i];
    }
    request.requireOut(dims);
    return at -> {
      long[] source = Arrays.copyOfRange(at, rank - x.shape().rank(), rank);
      for (int axis = 0; axis < source.length; axis++) {
        source[axis] %= x.shape().dim(axis);
      }
      return x.bitsAt(source);
    };
  }

  private static Definition.ElementFunction repeat(KernelRequest request) {
    Operand x = request.operand("x");
    long repeats = request.integer("repeats");
    request.require(repeats >= 0, "repeats", "at least 0");
    if (request.isNull("axis")) {
      request.requireOut(x.shape().elementCount() * repeats);
      return at -> x.bitsAt(Indices.indexOf(at[0] / repeats, x.shape()));
    }
    int axis = request.axis("axis", x.shape().rank());
    request.requireOut(Indices.with(x.shape().toArray(), axis, x.shape().dim(axis) * repeats));
    return at -> x.bitsAt(Indices.with(at, axis, at[axis] / repeats));
  }

  private static Definition.ElementFunction flip(KernelRequest request) {
    Operand x = request.operand("x");
    request.require(x.shape().rank() > 0, "x", "a tensor of rank 1 or more");
    int axis = request.axis("axis", x.shape().rank());
    request.requireOut(x.shape().toArray());
    return at -> x.bitsAt(Indices.with(at, axis, x.shape().dim(axis) - 1 - at[axis]));
  }

  private static Definition.ElementFunction pad(KernelRequest request) {
    Operand x = request.operand("x");
    int rank = x.shape().rank();
    long[] width = request.numbers("pad_width", 2 * rank, 0);
    String mode = request.string("pad_mode");
    List<String> modes = List.of("constant", "reflect", "replicate", "circular");
    request.require(modes.contains(mode), "pad_mode", "one of " + modes);
    long[] dims = x.shape().toArray();
    for (int axis = 0; axis < rank; axis++) {
      long most =
          switch (mode) {
            case "reflect" -> Math.max(0, dims[axis] - 1);
            case "circular" -> dims[axis];
            case "replicate" -> dims[axis] == 0 ? 0 : Long.MAX_VALUE;
            default -> Long.MAX_VALUE;
          };
      boolean fits = width[2 * axis] <= most && width[2 * axis + 1] <= most;
      request.require(fits, "pad_width", "at most " + most + " beside axis " + axis);
      dims[axis] += width[2 * axis] + width[2 * axis + 1];
    }
    request.requireOut(dims);
    DType dtype = request.out().dtype();
    long value = MovementDefinitions.converted(request.number("pad_value"), dtype);
    return at -> {
      long[] source = at.clone();
      for (int axis = 0; axis < rank; axis++) {
        long extent = x.shape().dim(axis);
        long position = at[axis] - width[2 * axis];
        if (mode.equals("constant") && (position < 0 || position >= extent)) {
          return value;
        }
        source[axis] =
            switch (mode) {
              case "reflect" -> extent - 1 - Math.abs(extent - 1 - Math.abs(position));
              case "replicate" -> Math.max(0, Math.min(position, extent - 1));
              default -> Math.floorMod(position, extent);
            };
      }
      return x.bitsAt(source);
    };
  }

  private static Definition.ElementFunction triangle(KernelRequest request, boolean lower) {
    Operand x = request.operand("x");
    int rank = x.shape().rank();
    long diagonal = request.integer("k");
    request.require(rank >= 2, "x", "a tensor of rank 2 or more");
    request.requireOut(x.shape().toArray());
    return at -> {
      long distance = at[rank - 1] - at[rank - 2];
      boolean kept = lower ? distance <= diagonal : distance >= diagonal;
      return kept ? x.bitsAt(at) : 0;
    };
  }
}
