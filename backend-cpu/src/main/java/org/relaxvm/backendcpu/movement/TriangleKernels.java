package org.relaxvm.backendcpu.movement;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/** {@code relaxvm.tril} and {@code relaxvm.triu}, row by row of all matrices at once. */
final class TriangleKernels {
  private static final Operand ZERO =
      new Operand(MemorySegment.ofArray(new long[1]).asReadOnly(), 0, new long[0], new long[0]);

  private TriangleKernels() {}

  static void run(KernelCall call, boolean lower) {
    Operand x = Operand.of(call.tensor(0));
    if (x.rank() < 2) {
      throw call.wrongShape(0, "a tensor of rank 2 or more");
    }
    call.requireShape(2, call.tensor(0).shape());
    Operand out = Operand.of(call.output());
    long rows = x.dim(x.rank() - 2);
    long columns = x.dim(x.rank() - 1);
    if (call.output().elementCount() == 0) {
      return;
    }
    long diagonal = Math.clamp(call.args().longAt(1), -rows, columns);
    int bytes = call.output().dtype().elementByteSize();
    Parallel.run(
        call.workers(),
        rows,
        call.output().elementCount() / rows,
        (first, end) -> {
          for (long row = first; row < end; row++) {
            long cut = Math.clamp(row + diagonal + (lower ? 1 : 0), 0, columns);
            long from = lower ? 0 : cut;
            long to = lower ? cut : columns;
            Moves.inThisThread(bytes, part(x, row, from, to), part(out, row, from, to));
            Operand rest = lower ? part(out, row, cut, columns) : part(out, row, 0, cut);
            Moves.inThisThread(bytes, Moves.everywhere(ZERO, rest.dims()), rest);
          }
        });
  }

  /** Some columns of a row of each matrix. */
  private static Operand part(Operand whole, long row, long from, long to) {
    int last = whole.rank() - 1;
    long[] dims = Arrays.copyOf(whole.dims(), last);
    long[] strides = Arrays.copyOf(whole.strides(), last);
    dims[last - 1] = to - from;
    strides[last - 1] = whole.stride(last);
    long offset = whole.offset() + row * whole.stride(last - 1) + from * whole.stride(last);
    return new Operand(whole.memory(), offset, dims, strides);
  }
}
