package org.relaxvm.backendcpu.ordering;

import java.util.function.Supplier;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/** {@code relaxvm.cumsum} and {@code relaxvm.cumprod}. */
final class ScanKernels {
  private static final int RUN = 1024;
  private static final int LONGEST_ROW = 256;
  private static final int SHORTEST_ROW = 8;

  private ScanKernels() {}

  static void run(KernelCall call, boolean product) {
    boolean exclusive = call.booleanAt(2);
    DType dtype = call.output().dtype();
    if (dtype.isFloat() && dtype.bits() > Float.SIZE) {
      Codec<double[]> codec = Codecs.wideFloat(dtype);
      run(call, codec, () -> new DoubleScan(product, exclusive, LONGEST_ROW));
    } else if (dtype.isFloat()) {
      Codec<float[]> codec = call.floatCodec(dtype);
      run(call, codec, () -> new FloatScan(product, exclusive, LONGEST_ROW));
    } else if (Codecs.holdsInts(dtype)) {
      run(call, Codecs.ints(dtype), () -> new IntScan(product, exclusive, LONGEST_ROW));
    } else {
      run(call, Codecs.integer(dtype), () -> new LongScan(product, exclusive, LONGEST_ROW));
    }
  }

  private static <A> void run(KernelCall call, Codec<A> codec, Supplier<Scan<A>> scans) {
    Operand x = Operand.of(call.tensor(0));
    Operand out = Operand.of(call.output());
    boolean flat = call.args().isNull(1);
    int axis = flat ? -1 : call.axis(1, x.rank());
    long count = call.tensor(0).elementCount();
    call.requireShape(3, flat ? Shape.of(count) : call.tensor(0).shape());
    int[] line = flat ? Lines.all(x.rank()) : new int[] {axis};
    int[] others = flat ? new int[0] : Lines.except(x.rank(), axis);
    Operand results = flat ? shaped(out, x.dims()) : out;
    Sweep along = new Sweep(RUN, x.axes(line), results.axes(line));
    Sweep across = new Sweep(LONGEST_ROW, x.axes(others), results.axes(others));
    if (Math.abs(across.step(0)) < Math.abs(along.step(0)) && across.runLength() >= SHORTEST_ROW) {
      Sweep rows = new Sweep(1, x.axes(line), results.axes(line));
      Parallel.run(
          call.workers(),
          across.runs(),
          rows.runs() * across.runLength(),
          (from, to) ->
              across.new Walker()
                  .walk(from, to, new Rows<>(codec, scans.get(), x, out, across, rows)));
      return;
    }
    long length = flat ? count : x.dim(axis);
    Lines lines = new Lines(x.axes(others), results.axes(others), length);
    lines.forEach(
        call,
        () -> {
          Scan<A> scan = scans.get();
          A values = codec.lanes().array(along.runLength());
          Sweep.Walker walker = along.new Walker();
          Sweep.Visitor next =
              (at, runLength) -> {
                codec.load(x.memory(), at[0], along.step(0), values, 0, runLength);
                scan.next(values, runLength);
                codec.store(values, 0, runLength, out.memory(), at[1], along.step(1));
              };
          return (fromAt, toAt) -> {
            scan.start();
            walker.origin(0, fromAt);
            walker.origin(1, toAt);
            walker.walk(0, along.runs(), next);
          };
        });
  }

  /** Scans lines side by side, row by row. One thread's. */
  private static final class Rows<A> implements Sweep.Visitor {
    private final Codec<A> codec;
    private final Scan<A> scan;
    private final Operand x;
    private final Operand out;
    private final Sweep across;
    private final Sweep rows;
    private final Sweep.Walker walker;
    private final Sweep.Visitor next = this::next;
    private final A values;
    private int length;

    Rows(Codec<A> codec, Scan<A> scan, Operand x, Operand out, Sweep across, Sweep rows) {
      this.codec = codec;
      this.scan = scan;
      this.x = x;
      this.out = out;
      this.across = across;
      this.rows = rows;
      this.walker = rows.new Walker();
      this.values = codec.lanes().array(across.runLength());
    }

    @Override
    public void visit(long[] at, int count) {
      length = count;
      scan.start();
      walker.origin(0, at[0]);
      walker.origin(1, at[1]);
      walker.walk(0, rows.runs(), next);
    }

    private void next(long[] at, int one) {
      codec.load(x.memory(), at[0], across.step(0), values, 0, length);
      scan.row(values, length);
      codec.store(values, 0, length, out.memory(), at[1], across.step(1));
    }
  }

  /** An operand of rank 1 as one of as many elements in row-major order. */
  private static Operand shaped(Operand line, long[] dims) {
    long[] strides = new long[dims.length];
    long stride = line.stride(0);
    for (int axis = dims.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= Math.max(1, dims[axis]);
    }
    return new Operand(line.memory(), line.offset(), dims, strides);
  }
}
