package org.relaxvm.backendcpu.ordering;

import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** {@code relaxvm.argmax} and {@code relaxvm.argmin}. */
final class ExtremeKernels {
  private static final int RUN = 1024;

  private ExtremeKernels() {}

  static void run(KernelCall call, boolean largest) {
    Operand x = Operand.of(call.tensor(0));
    boolean all = call.args().isNull(1);
    int axis = all ? -1 : call.axis(1, x.rank());
    boolean keep = call.booleanAt(2);
    call.requireShape(3, reduced(call.tensor(0).shape(), axis, keep));
    Operand out = Operand.of(call.output());
    long count = all ? call.tensor(0).elementCount() : x.dim(axis);
    if (call.output().dtype().equals(DType.INT32) && count - 1 > Integer.MAX_VALUE) {
      throw call.wrong(3, "int64 for indices up to " + (count - 1), "int32");
    }
    int[] line = all ? Lines.all(x.rank()) : new int[] {axis};
    int[] others = all ? new int[0] : Lines.except(x.rank(), axis);
    Operand results = all ? out.axes() : keep ? out.axes(others) : out;
    Lines lines = new Lines(x.axes(others), results, count);
    if (count == 0) {
      throw call.wrongShape(0, "not empty along the reduced axes");
    }
    Sweep along = new Sweep(RUN, x.axes(line));
    Codec<long[]> codec = Codecs.integer(call.output().dtype());
    lines.forEach(
        call,
        () -> {
          Search search = new Search(new Keys(call.tensor(0).dtype(), largest, true), x, along);
          return (fromAt, toAt) ->
              codec.store(new long[] {search.first(fromAt)}, 0, 1, out.memory(), toAt, 0);
        });
  }

  private static Shape reduced(Shape x, int axis, boolean keep) {
    long[] dims = x.toArray();
    for (int i = 0; i < dims.length; i++) {
      dims[i] = axis >= 0 && i != axis ? dims[i] : keep ? 1 : -1;
    }
    return Shape.of(LongStream.of(dims).filter(dim -> dim >= 0).toArray());
  }

  /** Finds the smallest key of a line. */
  private static final class Search {
    private final Keys keys;
    private final Operand x;
    private final Sweep along;
    private final Sweep.Walker walker;
    private final long[] run;
    private long number;
    private long best;
    private long bestNumber;

    Search(Keys keys, Operand x, Sweep along) {
      this.keys = keys;
      this.x = x;
      this.along = along;
      this.walker = along.new Walker();
      this.run = new long[along.runLength()];
    }

    long first(long at) {
      number = 0;
      bestNumber = -1;
      walker.origin(0, at);
      walker.walk(0, along.runs(), this::look);
      return bestNumber;
    }

    private void look(long[] at, int count) {
      keys.read(x.memory(), at[0], along.step(0), run, 0, count);
      for (int i = 0; i < count; i++) {
        if (bestNumber < 0 || run[i] < best) {
          best = run[i];
          bestNumber = number + i;
        }
      }
      number += count;
    }
  }
}
