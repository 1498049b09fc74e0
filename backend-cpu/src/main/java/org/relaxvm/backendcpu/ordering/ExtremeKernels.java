package org.relaxvm.backendcpu.ordering;

import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/** {@code relaxvm.argmax} and {@code relaxvm.argmin}. */
final class ExtremeKernels {
  /** Elements of the lines that are one unit of work, about. */
  private static final long LINES = 1 << 14;

  private static final int MOST_LINES = 512;
  private static final int LONGEST_ROW = 256;
  private static final int SHORTEST_ROW = 8;

  private ExtremeKernels() {}

  static void run(KernelCall call, boolean largest, FloatFinder finder) {
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
    if (count == 0) {
      throw call.wrongShape(0, "not empty along the reduced axes");
    }
    int[] line = all ? Lines.all(x.rank()) : new int[] {axis};
    int[] others = all ? new int[0] : Lines.except(x.rank(), axis);
    Operand results = all ? out.axes() : keep ? out.axes(others) : out;
    DType dtype = call.tensor(0).dtype();
    Supplier<Search> searches;
    if (dtype.isFloat() && dtype.bits() <= Float.SIZE) {
      Codec<float[]> codec = call.floatCodec(dtype);
      searches = () -> new Search.Floats(codec, finder, largest);
    } else {
      searches = () -> new Search.Longs(dtype, largest);
    }
    Sweep along = new Sweep(Search.PIECE, x.axes(line));
    Sweep across = new Sweep(LONGEST_ROW, x.axes(others), results);
    boolean rows =
        Math.abs(across.step(0)) < Math.abs(along.step(0))
            && across.runLength() >= SHORTEST_ROW
            && count <= Integer.MAX_VALUE;
    int together = rows ? LONGEST_ROW : Math.clamp(LINES / count, 1, MOST_LINES);
    Sweep outputs = new Sweep(together, x.axes(others), results);
    Sweep inputs = rows ? new Sweep(1, x.axes(line)) : along;
    Parallel.run(
        call.workers(),
        outputs.runs(),
        count * outputs.runLength(),
        (from, to) -> {
          Worker worker = new Worker(searches.get(), x, outputs, inputs);
          Codec<long[]> codec = Codecs.integer(call.output().dtype());
          Sweep.Visitor visitor =
              (at, length) -> {
                long[] numbers = rows ? worker.rows(at[0], length) : worker.lines(at[0], length);
                codec.store(numbers, 0, length, out.memory(), at[1], outputs.step(1));
              };
          outputs.new Walker().walk(from, to, visitor);
        });
  }

  private static Shape reduced(Shape x, int axis, boolean keep) {
    long[] dims = x.toArray();
    for (int i = 0; i < dims.length; i++) {
      dims[i] = axis >= 0 && i != axis ? dims[i] : keep ? 1 : -1;
    }
    return Shape.of(LongStream.of(dims).filter(dim -> dim >= 0).toArray());
  }

  /** Searches in one thread. */
  private static final class Worker {
    private final Search search;
    private final Operand x;
    private final Sweep outputs;
    private final Sweep inputs;
    private final Sweep.Walker walker;
    private final Sweep.Visitor look = this::look;
    private final Sweep.Visitor lookAtRow = this::lookAtRow;
    private final long[] numbers;
    private int rowLength;
    private long number;
    private long best;

    Worker(Search search, Operand x, Sweep outputs, Sweep inputs) {
      this.search = search;
      this.x = x;
      this.outputs = outputs;
      this.inputs = inputs;
      this.walker = inputs.new Walker();
      this.numbers = new long[outputs.runLength()];
    }

    long[] rows(long at, int length) {
      rowLength = length;
      number = 0;
      walker.origin(0, at);
      walker.walk(0, inputs.runs(), lookAtRow);
      search.numbers(numbers, length);
      return numbers;
    }

    private void lookAtRow(long[] at, int one) {
      search.load(x.memory(), at[0], outputs.step(0), rowLength);
      search.row(rowLength, (int) number++);
    }

    long[] lines(long at, int lines) {
      int count = inputs.runLength();
      boolean neighbours = outputs.step(0) == count * inputs.step(0);
      int together = inputs.runs() == 1 && neighbours ? Search.PIECE / count : 1;
      for (int first = 0; first < lines; first += together) {
        if (together == 1) {
          number = 0;
          walker.origin(0, at + first * outputs.step(0));
          walker.walk(0, inputs.runs(), look);
          numbers[first] = best;
          continue;
        }
        int last = Math.min(lines, first + together);
        long place = at + first * outputs.step(0);
        search.load(x.memory(), place, inputs.step(0), (last - first) * count);
        for (int i = first; i < last; i++) {
          int from = (i - first) * count;
          numbers[i] = search.first(from, from + count) - (long) from;
        }
      }
      return numbers;
    }

    private void look(long[] at, int count) {
      search.load(x.memory(), at[0], inputs.step(0), count);
      int place = search.first(0, count);
      if (search.keep(place, number == 0)) {
        best = number + place;
      }
      number += count;
    }
  }
}
