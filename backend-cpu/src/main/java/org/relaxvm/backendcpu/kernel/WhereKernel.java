package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
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
    Sweep sweep = new Sweep(ElementwiseKernels.RUN, condition, a, b, out);
    if (bytes == Long.BYTES) {
      run(call, sweep, Codecs.longBits(), WhereKernel::choose, condition, a, b, out);
    } else {
      run(call, sweep, Codecs.bits(bytes), WhereKernel::choose, condition, a, b, out);
    }
  }

  /** Chooses for a run of elements, into {@code a}. */
  private interface Choice<A> {
    void apply(int[] holds, A a, A b, int count);
  }

  private static <A> void run(
      KernelCall call,
      Sweep sweep,
      Codec<A> codec,
      Choice<A> choice,
      Operand condition,
      Operand a,
      Operand b,
      Operand out) {
    Codec<int[]> truth = Codecs.truth();
    int bytes = codec.bytes();
    boolean compact = sweep.step(1) == bytes && sweep.step(2) == bytes && sweep.step(3) == bytes;
    @Nullable Selection selection = compact ? call.selection() : null;
    boolean inMemory = selection != null && selection.fit(a.memory(), b.memory(), out.memory());
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength(),
        (from, to) -> {
          Selection.@Nullable Run inPlace =
              inMemory && selection != null ? selection.run(bytes, sweep.runLength()) : null;
          int[] holds = new int[sweep.runLength()];
          A x = codec.lanes().array(sweep.runLength());
          A y = codec.lanes().array(sweep.runLength());
          sweep.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    int done =
                        inPlace == null
                            ? 0
                            : inPlace.apply(
                                condition.memory(),
                                at[0],
                                sweep.step(0),
                                a.memory(),
                                at[1],
                                b.memory(),
                                at[2],
                                out.memory(),
                                at[3],
                                count);
                    int rest = count - done;
                    if (rest == 0) {
                      return;
                    }
                    long place = sweep.place(0, at, done);
                    truth.load(condition.memory(), place, sweep.step(0), holds, 0, rest);
                    place = sweep.place(1, at, done);
                    codec.load(a.memory(), place, sweep.step(1), x, 0, rest);
                    place = sweep.place(2, at, done);
                    codec.load(b.memory(), place, sweep.step(2), y, 0, rest);
                    choice.apply(holds, x, y, rest);
                    place = sweep.place(3, at, done);
                    codec.store(x, 0, rest, out.memory(), place, sweep.step(3));
                  });
        });
  }

  /** Without branches: booleans need not come in runs. */
  private static void choose(int[] holds, int[] a, int[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = b[i] ^ ((a[i] ^ b[i]) & -holds[i]);
    }
  }

  private static void choose(int[] holds, long[] a, long[] b, int count) {
    for (int i = 0; i < count; i++) {
      a[i] = b[i] ^ ((a[i] ^ b[i]) & -(long) holds[i]);
    }
  }
}
