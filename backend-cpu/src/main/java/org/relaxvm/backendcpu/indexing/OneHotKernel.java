package org.relaxvm.backendcpu.indexing;

import java.util.Arrays;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.movement.FillKernels;
import org.relaxvm.backendcpu.movement.Moves;

/** {@code relaxvm.one_hot}. */
final class OneHotKernel {
  private static final int RUN = 1024;

  private OneHotKernel() {}

  static void run(KernelCall call) {
    Operand indices = Operand.of(call.tensor(0));
    Operand out = Operand.of(call.output());
    int axis = call.axis(3, indices.rank() + 1);
    boolean fits = out.rank() == indices.rank() + 1;
    if (!fits || !Arrays.equals(Axes.without(out, axis).dims(), indices.dims())) {
      Shape shape = call.tensor(0).shape();
      throw call.wrongShape(4, "shape " + shape + " with the depth at axis " + axis);
    }
    Operand on = FillKernels.constant(call, 1);
    Moves.run(call, Moves.everywhere(FillKernels.constant(call, 2), out.dims()), out);
    Codec<long[]> codec = Codecs.integer(call.tensor(0).dtype());
    int bytes = call.output().dtype().elementByteSize();
    Sweep sweep = new Sweep(RUN, indices, Axes.without(out, axis));
    long[] run = new long[sweep.runLength()];
    sweep.forEach(
        (at, count) -> {
          codec.load(indices.memory(), at[0], sweep.step(0), run, 0, count);
          for (int i = 0; i < count; i++) {
            if (run[i] >= 0 && run[i] < out.dim(axis)) {
              long place = at[1] + i * sweep.step(1) + run[i] * out.stride(axis);
              Copies.run(bytes, on.memory(), 0, 0, out.memory(), place, 0, 1);
            }
          }
        });
  }
}
