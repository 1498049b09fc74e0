package org.relaxvm.backendcpu.indexing;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.movement.Moves;

/**
 * Kernels that copy a tensor and change elements where indices say. The updates happen in one
 * thread: two of them may meet in an element, and their order counts.
 *
 * <p>Rationale: docs/rationale/api.md, "Why do scatters run in one thread?"
 */
final class ScatterKernels {
  private static final int RUN = 1024;

  private ScatterKernels() {}

  static void scatterElements(KernelCall call) {
    GatherKernels.requireAxes(call);
    int axis = call.axis(3, call.tensor(0).shape().rank());
    GatherKernels.requireSmaller(call, axis);
    call.requireShape(2, call.tensor(1).shape());
    String reduction = reduction(call, 4);
    call.requireShape(5, call.tensor(0).shape());
    Operand updates = Operand.of(call.tensor(2));
    Operand out = Operand.of(call.output());
    update(call, reduction, GatherKernels.elements(call, out, axis, updates, RUN));
  }

  static void scatterNd(KernelCall call) {
    Operand indices = Operand.of(call.tensor(1));
    Operand updates = Operand.of(call.tensor(2));
    Operand out = Operand.of(call.output());
    int rank = call.tensor(0).shape().rank();
    int last = indices.rank() - 1;
    if (last < 0 || indices.dim(last) > rank) {
      throw call.wrongShape(
          1, "lines of at most " + rank + " indices for " + call.tensor(0).shape());
    }
    String reduction = reduction(call, 3);
    call.requireShape(4, call.tensor(0).shape());
    int named = (int) indices.dim(last);
    Operand inner = Axes.range(out, named, rank);
    Operand lines = Axes.range(indices, 0, last);
    call.requireShape(2, GatherKernels.joined(lines.dims(), inner.dims()));
    Operand[] groups = {
      lines, Axes.repeated(out.axes(), 0, lines.dims()), Axes.range(updates, 0, last)
    };
    Operand[] slice = {inner, Axes.range(updates, last, updates.rank())};
    int[] axes = IntStream.range(0, named).toArray();
    update(
        call,
        reduction,
        new IndexedSlices(
            call, IndexMode.FAST, out, axes, groups, indices.stride(last), slice, RUN));
  }

  private static String reduction(KernelCall call, int argument) {
    String given = call.args().stringAt(argument);
    boolean known = given.equals("update") || operation(given) != null;
    if (!known) {
      throw call.wrong(
          argument, "'update', 'add', 'mul', 'mean', 'max' or 'min'", "'" + given + "'");
    }
    if (call.output().dtype().equals(DType.BOOL) && !given.equals("update")) {
      throw call.wrong(argument, "'update' for bool", "'" + given + "'");
    }
    return given;
  }

  private static @Nullable BinaryOp operation(String reduction) {
    return switch (reduction) {
      case "add", "mean" -> BinaryOp.ADD;
      case "mul" -> BinaryOp.MULTIPLY;
      case "max" -> BinaryOp.MAXIMUM;
      case "min" -> BinaryOp.MINIMUM;
      default -> null;
    };
  }

  private static void update(KernelCall call, String reduction, IndexedSlices slices) {
    Moves.run(call, Operand.of(call.tensor(0)), Operand.of(call.output()));
    BinaryOp op = operation(reduction);
    Sweep.Visitor combine =
        op == null
            ? replacement(call, slices.slice())
            : combination(
                call, op, reduction.equals("mean"), slices.slice(), call.codec(call.output()));
    Sweep.Walker walker = slices.slice().new Walker();
    slices.walk(
        0,
        slices.units(),
        (dataAt, updateAt) -> {
          walker.origin(0, dataAt);
          walker.origin(1, updateAt);
          walker.walk(0, slices.slice().runs(), combine);
        });
  }

  private static Sweep.Visitor replacement(KernelCall call, Sweep slice) {
    MemorySegment updates = Operand.of(call.tensor(2)).memory();
    MemorySegment out = Operand.of(call.output()).memory();
    int bytes = call.output().dtype().elementByteSize();
    return (at, count) ->
        Copies.run(bytes, updates, at[1], slice.step(1), out, at[0], slice.step(0), count);
  }

  private static <A> Sweep.Visitor combination(
      KernelCall call, BinaryOp op, boolean mean, Sweep slice, Codec<A> codec) {
    MemorySegment updates = Operand.of(call.tensor(2)).memory();
    MemorySegment out = Operand.of(call.output()).memory();
    Lanes<A> lanes = codec.lanes();
    A elements = lanes.array(slice.runLength());
    A changes = lanes.array(slice.runLength());
    return (at, count) -> {
      codec.load(out, at[0], slice.step(0), elements, 0, count);
      codec.load(updates, at[1], slice.step(1), changes, 0, count);
      lanes.binary(op, elements, changes, 0, count);
      if (mean) {
        codec.wrap(elements, count);
        lanes.fill(changes, 0, count, 2);
        lanes.binary(BinaryOp.DIVIDE, elements, changes, 0, count);
      }
      codec.store(elements, 0, count, out, at[0], slice.step(0));
    };
  }
}
