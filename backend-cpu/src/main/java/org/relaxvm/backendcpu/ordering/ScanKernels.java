package org.relaxvm.backendcpu.ordering;

import java.util.function.Supplier;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** {@code relaxvm.cumsum} and {@code relaxvm.cumprod}. */
final class ScanKernels {
  private static final int RUN = 1024;

  private ScanKernels() {}

  static void run(KernelCall call, boolean product) {
    boolean exclusive = call.booleanAt(2);
    DType dtype = call.output().dtype();
    if (dtype.isFloat()) {
      run(call, Codecs.wideFloat(dtype), () -> new Scan.Floats(product, exclusive));
    } else {
      run(call, Codecs.integer(dtype), () -> new Scan.Integers(product, exclusive));
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
