package org.relaxvm.backendcpu.kernel;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Comparison;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.MemoryLanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.element.UnaryOp;

/**
 * Functions of one and two elements: runs are computed in memory, or brought into small arrays,
 * computed there, and stored.
 */
public final class ElementwiseKernels {
  /** Elements of a run: three arrays of them fit the nearest cache. */
  public static final int RUN = 1024;

  /** Elements of a run that is computed where it lies. */
  private static final int LONG_RUN = 8 * RUN;

  private static final long TRANSCENDENTAL_COST = 16;

  private ElementwiseKernels() {}

  /** {@code out = op(a, b)}. */
  public static CpuKernel binary(BinaryOp op) {
    return call -> binary(op, call, codec(call, call.output()));
  }

  /** {@code out = a op b} as booleans. */
  public static CpuKernel comparison(Comparison op) {
    return call -> compare(op, call, codec(call, call.tensor(0)));
  }

  /** {@code out = op(x)}. */
  public static CpuKernel unary(UnaryOp op) {
    return call -> unary(op, call, codec(call, call.output()));
  }

  private static Codec<?> codec(KernelCall call, Tensor tensor) {
    return Codecs.ofElements(tensor.dtype(), call.floats());
  }

  private static <A> void binary(BinaryOp op, KernelCall call, Codec<A> codec) {
    Lanes<A> lanes = codec.lanes();
    Pair pair = Pair.of(call);
    Sweep sweep = pair.sweep(RUN);
    @Nullable MemoryRun memory = PairsInMemory.of(op, codec, pair.a(), pair.b(), pair.out(), sweep);
    pairs(
        call,
        pair,
        memory == null ? sweep : pair.sweep(LONG_RUN),
        memory,
        codec,
        codec,
        runLength ->
            (x, y, count) -> {
              lanes.binary(op, x, y, 0, count);
              return x;
            });
  }

  private static <A> void compare(Comparison op, KernelCall call, Codec<A> codec) {
    Lanes<A> lanes = codec.lanes();
    Pair pair = Pair.of(call);
    pairs(
        call,
        pair,
        pair.sweep(RUN),
        null,
        codec,
        Codecs.truth(),
        runLength -> {
          int[] holds = new int[runLength];
          return (x, y, count) -> {
            lanes.compare(op, x, y, holds, count);
            return holds;
          };
        });
  }

  /** Two inputs, stretched to the shape of the output. */
  private record Pair(Operand a, Operand b, Operand out) {
    static Pair of(KernelCall call) {
      requireBroadcastOutput(call, 2);
      return new Pair(stretched(call, 0), stretched(call, 1), Operand.of(call.output()));
    }

    Sweep sweep(int longestRun) {
      return new Sweep(longestRun, a, b, out);
    }
  }

  /** Combines elements of two inputs; may use the first one's array for the result. */
  private interface Combination<A, R> {
    R apply(A x, A y, int count);
  }

  /**
   * Combines two inputs run by run.
   *
   * @param memory what it leaves over is combined in arrays; may be null
   * @param perTask makes the combination for each piece of the work, which runs in one thread, from
   *     the largest number of elements that are combined at once
   */
  private static <A, R> void pairs(
      KernelCall call,
      Pair pair,
      Sweep sweep,
      @Nullable MemoryRun memory,
      Codec<A> codec,
      Codec<R> outCodec,
      IntFunction<Combination<A, R>> perTask) {
    Operand a = pair.a();
    Operand b = pair.b();
    Operand out = pair.out();
    int length = Math.min(RUN, sweep.runLength());
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength(),
        (first, end) -> {
          A x = codec.lanes().array(length);
          A y = codec.lanes().array(length);
          Combination<A, R> combination = perTask.apply(length);
          sweep.new Walker()
              .walk(
                  first,
                  end,
                  (at, count) -> {
                    int done = memory == null ? 0 : memory.apply(at, count);
                    for (int from = done; from < count; from += length) {
                      int some = Math.min(length, count - from);
                      codec.load(a.memory(), sweep.place(0, at, from), sweep.step(0), x, 0, some);
                      codec.load(b.memory(), sweep.place(1, at, from), sweep.step(1), y, 0, some);
                      R result = combination.apply(x, y, some);
                      outCodec.store(
                          result, 0, some, out.memory(), sweep.place(2, at, from), sweep.step(2));
                    }
                  });
        });
  }

  private static <A> void unary(UnaryOp op, KernelCall call, Codec<A> codec) {
    call.requireBroadcast(0, call.output().shape());
    Operand x = stretched(call, 0);
    Operand out = Operand.of(call.output());
    Sweep shortRuns = new Sweep(RUN, x, out);
    @Nullable MemoryRun memory = inMemory(op, codec, x, out, shortRuns);
    Sweep sweep = memory == null ? shortRuns : new Sweep(LONG_RUN, x, out);
    Lanes<A> lanes = codec.lanes();
    int length = Math.min(RUN, sweep.runLength());
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength() * TRANSCENDENTAL_COST,
        (first, end) -> {
          A values = lanes.array(length);
          sweep.new Walker()
              .walk(
                  first,
                  end,
                  (at, count) -> {
                    int done = memory == null ? 0 : memory.apply(at, count);
                    for (int from = done; from < count; from += length) {
                      int some = Math.min(length, count - from);
                      long place = sweep.place(0, at, from);
                      codec.load(x.memory(), place, sweep.step(0), values, 0, some);
                      lanes.unary(op, values, some);
                      place = sweep.place(1, at, from);
                      codec.store(values, 0, some, out.memory(), place, sweep.step(1));
                    }
                  });
        });
  }

  private static @Nullable MemoryRun inMemory(
      UnaryOp op, Codec<?> codec, Operand x, Operand out, Sweep sweep) {
    @Nullable MemoryLanes memory = codec.memory();
    boolean compact = sweep.step(0) == codec.bytes() && sweep.step(1) == codec.bytes();
    return compact && memory != null
        ? (at, count) -> memory.unary(op, x.memory(), at[0], out.memory(), at[1], count)
        : null;
  }

  /** Checks that the first inputs broadcast to exactly the shape of the output. */
  static void requireBroadcastOutput(KernelCall call, int inputs) {
    Tensor out = call.output();
    boolean[] covered = new boolean[out.shape().rank()];
    for (int i = 0; i < inputs; i++) {
      call.requireBroadcast(i, out.shape());
      int rank = call.tensor(i).shape().rank();
      for (int axis = 0; axis < rank; axis++) {
        int target = covered.length - rank + axis;
        covered[target] |= call.tensor(i).shape().dim(axis) == out.shape().dim(target);
      }
    }
    for (int axis = 0; axis < covered.length; axis++) {
      if (!covered[axis]) {
        throw call.wrongShape(
            call.count() - 1, "the broadcast shape of the inputs, none of which has axis " + axis);
      }
    }
  }

  /** Input {@code index} stretched to the shape of the output. */
  public static Operand stretched(KernelCall call, int index) {
    return Operand.of(call.tensor(index)).broadcastTo(call.output().shape());
  }
}
