package org.relaxvm.backendcpu.kernel;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/** Choice between two tensors, element by element. */
public final class WhereKernel {
  private WhereKernel() {}

  /** {@code relaxvm.where}. */
  public static void run(KernelCall call) {
    ElementwiseKernels.requireBroadcastOutput(call, 3);
    Operand condition = ElementwiseKernels.stretched(call, 0);
    Operand a = ElementwiseKernels.stretched(call, 1);
    Operand b = ElementwiseKernels.stretched(call, 2);
    Operand out = Operand.of(call.output());
    int bytes = call.output().dtype().elementByteSize();
    Codec<long[]> bools = Codecs.integer(DType.BOOL);
    Sweep sweep = new Sweep(ElementwiseKernels.RUN, condition, a, b, out);
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength(),
        (from, to) -> {
          long[] holds = new long[sweep.runLength()];
          sweep.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    bools.load(condition.memory(), at[0], sweep.step(0), holds, 0, count);
                    for (int i = 0; i < count; ) {
                      int end = i + 1;
                      while (end < count && holds[end] == holds[i]) {
                        end++;
                      }
                      int side = holds[i] != 0 ? 1 : 2;
                      Operand source = side == 1 ? a : b;
                      Copies.run(
                          bytes,
                          source.memory(),
                          at[side] + i * sweep.step(side),
                          sweep.step(side),
                          out.memory(),
                          at[3] + i * sweep.step(3),
                          sweep.step(3),
                          end - i);
                      i = end;
                    }
                  });
        });
  }
}
